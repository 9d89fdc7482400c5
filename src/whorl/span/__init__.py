"""The span network: a contextual encoder and light scoring of each transition."""
