"""Tokenisers that models carry: text into the sentences and tokens of the model's treebank."""

from whorl.tokenisers.penn import PennTokeniser
from whorl.tokenisers.protocol import Tokeniser
from whorl.tokenisers.trained import TrainedTokeniser

__all__ = ["PennTokeniser", "Tokeniser", "TrainedTokeniser"]
