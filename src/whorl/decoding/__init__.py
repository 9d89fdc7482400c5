"""The driver: a transition system and a network, held together."""

from whorl.decoding.driver import Choose, Decoded, Scores, decode

__all__ = ["Choose", "Decoded", "Scores", "decode"]
