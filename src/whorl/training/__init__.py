"""Training: recipes, losses, exploration, the loop, checkpoints, and the tagger."""
