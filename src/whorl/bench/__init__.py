"""The speed of a model on this machine, and the machine itself.

A package above `parser`, since it measures parsers; `reporting` lies below them.
"""
