"""The paper's experiments (§7) for any treebank: which parsers they need, training those, and tables of the results."""
