"""Whorl as a parser of NLTK: `from whorl.nltk import WhorlParser`."""

from whorl.integrations.nltk import WhorlParser

__all__ = ["WhorlParser"]
