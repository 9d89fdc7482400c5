"""How fast a model parses here, and what this machine is."""
