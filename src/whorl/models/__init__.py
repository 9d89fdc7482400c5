"""The networks, in PyTorch. They know effects and arrays, never a transition system."""
