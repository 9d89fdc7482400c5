"""Whorl as a parser of NLTK; public as `whorl.nltk`."""

from whorl.integrations.nltk.parser import WhorlParser

__all__ = ["WhorlParser"]
