"""The drivers: a transition system and a network, held together.

`driver` is for the stack-LSTM network over any system, `spans` for the `span` network over arrays of states.
"""
