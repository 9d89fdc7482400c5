"""Training, the same for every network: recipes, data sources, the loop, checkpoints."""
