"""The check that a pretrained encoder can read the words of a treebank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from whorl.errors import ModelError, RecipeError
from whorl.trees import Tree

__all__ = ["check_encoder", "encoder_setting"]

_MAX_UNKNOWN = 0.1
"""The largest share of the words that may hold characters without a piece of their own."""
_LISTED = 8  # words in a message


def encoder_setting(folder: Path) -> str:
    """Return the setting of the span network that an encoder's folder is for."""
    if any((folder / name).exists() for name in ("encoder.json", "model.json")):
        return "encoder"
    if any(folder.glob("encoder*.safetensors")):
        return "encoder"
    if (folder / "config.json").exists():
        return "huggingface"
    raise RecipeError(
        f"{folder} is not an encoder: expected a folder that whorl pretrain or whorl train wrote, "
        "or one of the transformers library with its config.json"
    )


def check_encoder(folder: Path, trees: Iterable[Tree]) -> None:
    """Reject an encoder whose word pieces do not cover the writing of the trees."""
    from whorl.lexicon.word_pieces import Pieces
    from whorl.span.encoders.pieces import HuggingFace

    if encoder_setting(folder) == "huggingface":
        tokenizer, start, end, unknown = HuggingFace.tokenizer(str(folder))
        pieces = Pieces(tokenizer, start=start, end=end, unknown=unknown)
    elif (folder / "model.json").exists() and not (folder / "tokenizer.json").exists():
        raise ModelError(f"the parser in {folder} has no encoder of word pieces")
    else:
        pieces = Pieces.load(folder)
    counts = Counter(word for tree in trees for word in tree.words())
    encoded = pieces.encode(counts)
    unknown_words = Counter(
        {
            word: count
            for (word, count), ids in zip(counts.items(), encoded, strict=True)
            if pieces.unknown in ids
        }
    )
    share = unknown_words.total() / max(1, counts.total())
    if share > _MAX_UNKNOWN:
        listed = " ".join(word for word, _ in unknown_words.most_common(_LISTED))
        raise RecipeError(
            f"the encoder {folder} cannot read this treebank: {100 * share:.1f} % of the words "
            f"hold characters that it has no piece for, such as {listed}; expected an encoder "
            "pretrained on text in the language of the trees"
        )
