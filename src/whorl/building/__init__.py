"""From a treebank to a parser that is ready to use, without a recipe.

It reads and checks the trees, chooses the settings from them, trains, exports, calibrates, scores
and describes the model. A package above `training` and `parser`, since it needs both.
"""
