"""What a spaCy document holds: one string for each sentence, on the sentence's first token.

spaCy shifts the custom data of tokens in `Doc.from_docs` and `Span.as_doc`, copies it in `DocBin`,
`to_bytes` and pickles, and does not touch it when tokens are merged or split. So each sentence
carries its own parse, and a checksum of the tokens that it belongs to. A string survives all of
these as it is.

The string is a JSON list:

```
FORMAT         1
checksum       of the tokens
tokens         how many there are
spaces         the numbers of those that are white space, which are not in the tree
nodes          of the tree, parents first: tags of words; labels of phrases, each before its arity
probability    the log-probability of the tree
steps          log-probabilities of the parser's steps, 32-bit floats in base64, or null
arities        the `arities` of `whorl.engine.Parse` in the same form, or null
calibration    the weights of `whorl.engine.Calibration` as JSON, or null
```

Words are not stored: they are the document's.
"""

from __future__ import annotations

import base64
import json
import struct
import sys
from array import array
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

from whorl.engine import Calibration, Parse
from whorl.errors import StaleParseError, TreeError
from whorl.trees import Leaf, Node, Tree

__all__ = ["Annotation", "checksum", "decode", "encode"]

_FORMAT = 1
_DIGEST = 8  # bytes


class Annotation(NamedTuple):
    """A sentence's parse, over its words only; the tree's leaves have tags but no words."""

    checksum: str
    tokens: int
    spaces: tuple[int, ...]
    parse: Parse | None
    """None for a sentence of white space."""


def checksum(orths: Sequence[int]) -> str:
    """Return the checksum of tokens, given spaCy's 64-bit hashes of their texts."""
    packed = struct.pack(f"<{len(orths)}Q", *orths)
    return blake2b(packed, digest_size=_DIGEST).hexdigest()


def encode(parse: Parse | None, *, checksum: str, tokens: int, spaces: Sequence[int]) -> str:
    """Write the parse of a sentence as a string."""
    if parse is None:
        return json.dumps([_FORMAT, checksum, tokens, spaces, [], 0.0, None, None, None])
    return json.dumps(
        [
            _FORMAT,
            checksum,
            tokens,
            spaces,
            _flatten(parse.tree),
            parse.log_probability,
            None if parse.steps is None else _encode_floats(parse.steps),
            None if parse.arities is None else _encode_floats(parse.arities),
            None if parse.calibration is None else _encode_calibration(parse.calibration),
        ]
    )


def decode(value: Any) -> Annotation:
    """Undo `encode`."""
    try:
        version, *fields = json.loads(value)
        if version != _FORMAT:
            raise StaleParseError(
                f"this document was parsed by another version of Whorl, which stores trees in "
                f"format {version!r}; this one reads format {_FORMAT}: parse the document again"
            )
        checksum, tokens, spaces, nodes, log_probability, steps, arities, calibration = fields
        parse = None
        if not nodes and tokens != len(spaces):
            raise ValueError("words without a tree")
        if nodes:
            parse = Parse(
                _build(nodes, tokens - len(spaces)),
                log_probability,
                None if steps is None else _decode_floats(steps),
                None if calibration is None else Calibration.from_dict(json.loads(calibration)),
                None if arities is None else _decode_floats(arities),
            )
        return Annotation(checksum, tokens, tuple(spaces), parse)
    except (ValueError, TypeError, AttributeError, TreeError) as error:
        raise StaleParseError(
            f"this is not a parse that Whorl stored: {value!r:.100}: parse the document again"
        ) from error


def _flatten(tree: Tree) -> list[str | int]:
    """Return the nodes of a tree, parents first: tags, and labels with the arity after each."""
    nodes: list[str | int] = []
    append = nodes.append
    pending: list[Node] = [tree]
    pop, extend = pending.pop, pending.extend
    while pending:
        node = pop()
        if type(node) is Tree:
            append(node.label)
            append(len(node.children))
            extend(node.children[::-1])
        else:
            append(node.label)
    return nodes


def _build(nodes: Sequence[str | int], words: int) -> Tree:
    """Undo `_flatten`: parents come first, so build from the last node to the first."""
    stack: list[Node] = []
    arity = 0
    for node in reversed(nodes):
        if isinstance(node, int):
            arity = node
        elif arity:
            children = stack[: -arity - 1 : -1]
            del stack[-arity:]
            stack.append(Tree(node, children))
            arity = 0
        else:
            words -= 1
            stack.append(Leaf(node, "", words))
    (tree,) = stack
    if words or not isinstance(tree, Tree):
        raise ValueError("the tree does not fit the tokens")
    return tree


@lru_cache(maxsize=8)
def _encode_calibration(calibration: Calibration) -> str:
    return json.dumps(calibration.to_dict())


def _encode_floats(values: array[float]) -> str:
    return base64.b64encode(_little_endian(values).tobytes()).decode("ascii")


def _decode_floats(text: str) -> array[float]:
    return _little_endian(array("f", base64.b64decode(text)))


def _little_endian(values: array[float]) -> array[float]:
    """Swap the bytes of 32-bit floats on machines that have the other order."""
    if sys.byteorder == "big":
        values = array("f", values)
        values.byteswap()
    return values
