"""The network of the paper (§6): stack-LSTMs over any transition system."""
