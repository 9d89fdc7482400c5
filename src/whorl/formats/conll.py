"""Trees in columns, one word per line, as in the shared task of CoNLL-2012."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whorl.formats.base import Format, Origin
from whorl.trees import conll_rows

if TYPE_CHECKING:
    from whorl.parser.documents import Sentence
    from whorl.trees import Tree

__all__ = ["Conll"]


class Conll(Format):
    """Comments, one row per word, and an empty line for each tree; no rows without words."""

    name = "conll"
    needs_sentence = True

    def format_tree(self, tree: Tree) -> str:
        """Format the rows of a tree."""
        return "\n".join(conll_rows(tree))

    def format_sentence(self, sentence: Sentence | None, origin: Origin | None = None) -> str:
        """Format the rows of each tree after comments that say which tree it is."""
        comments: list[str] = []
        if origin is not None:
            comments += [f"# source = {origin.name}"] if self.several_sources else []
            comments.append(f"# sent_id = {origin.number}")
        if sentence is None:
            return "".join(f"{line}\n" for line in (*comments, ""))
        lines: list[str] = []
        for rank, parse in enumerate(sentence.parses, start=1):
            lines += comments
            if self.n_best:
                lines.append(f"# parse = {rank}")
                lines.append(f"# log_probability = {parse.log_probability:.4f}")
            lines += [self.format_tree(parse.tree), ""]
        return "".join(f"{line}\n" for line in lines)
