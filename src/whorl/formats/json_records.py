"""Sentences as JSON objects: one per line, or one array of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whorl.formats.base import Format, Origin

if TYPE_CHECKING:
    from whorl.parser.documents import Sentence

__all__ = ["JsonArray", "JsonLines"]


class JsonArray(Format):
    """The objects of `JsonLines` in one array."""

    name = "json"
    needs_sentence = True
    opening = "[\n"
    separator = ",\n"
    closing = "\n]\n"
    empty = "[]\n"

    def format_sentence(self, sentence: Sentence | None, origin: Origin | None = None) -> str:
        """Format `Sentence.to_dict`, after the source and number if the origin is known."""
        import json

        if sentence is None:
            return "null"
        record = sentence.to_dict(n_best=self.n_best)
        if origin is not None:
            record = {"source": origin.path, "number": origin.number, **record}
        return json.dumps(record, ensure_ascii=False)


class JsonLines(JsonArray):
    """An object per line, `null` for an empty sentence."""

    name = "jsonl"
    opening = separator = closing = empty = ""

    def format_sentence(self, sentence: Sentence | None, origin: Origin | None = None) -> str:
        """Format the sentence on one line."""
        return super().format_sentence(sentence, origin) + "\n"
