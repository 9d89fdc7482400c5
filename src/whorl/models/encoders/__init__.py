"""Encoders: from the words of a batch of sentences to a vector for every fencepost between them."""
