"""From text to sentences of Penn tokens with character offsets."""

from whorl.text.penn_forms import penn_forms
from whorl.text.pretokenised import read_tokens
from whorl.text.sentences import LONGEST, Newline, iter_sentences, segment, tokenise
from whorl.text.tokens import SentenceSpan, TokenSpan
from whorl.text.words import Hyphens

__all__ = [
    "LONGEST",
    "Hyphens",
    "Newline",
    "SentenceSpan",
    "TokenSpan",
    "iter_sentences",
    "penn_forms",
    "read_tokens",
    "segment",
    "tokenise",
]
