"""Decoders of the span network: from the scores of transitions to derivations. No PyTorch.

`greedy` decodes a batch in lockstep, `one_sentence` does the same without the overhead of arrays
of states, and `beam` searches for the best derivations.
"""
