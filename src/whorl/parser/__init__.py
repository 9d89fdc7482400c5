"""The public parser: text or words in, documents or trees out."""

from whorl.engine.protocol import Tokens
from whorl.parser.constrained import ConstrainedInput, Constraints
from whorl.parser.models import model_checksum, model_files
from whorl.parser.parser import Parser, load

__all__ = [
    "ConstrainedInput",
    "Constraints",
    "Parser",
    "Tokens",
    "load",
    "model_checksum",
    "model_files",
]
