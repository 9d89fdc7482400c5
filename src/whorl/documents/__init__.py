"""What a parser gives: documents of sentences, their trees with places in the text and with probabilities."""

from whorl.documents.calibration import Calibration
from whorl.documents.document import Constituent, Document, Sentence, Token
from whorl.documents.parse import Parse

__all__ = ["Calibration", "Constituent", "Document", "Parse", "Sentence", "Token"]
