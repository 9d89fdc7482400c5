"""The paper's experiments (§7) on any treebank: plans, training runs, and tables of the results."""
