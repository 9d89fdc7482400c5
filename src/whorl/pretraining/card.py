"""The card of a pretrained encoder, and values to check a loader against."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from whorl.files import replace_atomically, write_json
from whorl.lexicon.word_pieces import Pieces
from whorl.transformer.network import Transformer

__all__ = ["encoder_checks", "write_card", "write_checks"]

_DIGITS = 4
_ROLES = {"start": "continued from", "teacher": "distilled from"}
_VALUES = 6


def encoder_checks(folder: Path, texts: list[str]) -> list[dict[str, Any]]:
    """Return the ids of each text, and the first values of its first and last pieces' vectors."""
    model, pieces = Transformer.load(folder), Pieces.load(folder)
    checks: list[dict[str, Any]] = []
    for text in texts:
        batch = pieces.batch([text.split()])
        with torch.no_grad():
            out = model(torch.from_numpy(batch.ids))[0]  # (pieces, width)
        values = {
            "first_piece": [round(value, _DIGITS) for value in out[1, :_VALUES].tolist()],
            "last_piece": [round(value, _DIGITS) for value in out[-2, :_VALUES].tolist()],
        }
        mean = round(float(out.abs().mean()), _DIGITS + 1)
        checks.append({"text": text, "ids": batch.ids[0].tolist(), **values, "mean_abs": mean})
    return checks


def write_checks(folder: Path, texts: list[str]) -> None:
    """Write `check.json` for the encoder saved in a folder."""
    write_json(folder / "check.json", encoder_checks(folder, texts))


def write_card(folder: Path, described: dict[str, Any], config: dict[str, Any]) -> None:
    """Write `README.md`: what the encoder is, its text, and how training went."""
    data, outcome = described["data"], described["outcome"]
    training = described["recipe"]["training"]
    tokens, minutes = training["tokens"], training["minutes"]
    budget = f"{tokens:,} pieces" if tokens else f"{minutes:g} minutes"
    end = "reached" if outcome["finished"] else "stopped before"
    sizes = "{layers} layers, width {width}, {heads} heads, feed-forward {feed_forward}".format(
        **config
    )
    counts = ", ".join(f"{data[name]:,} {name}" for name in ("sentences", "words", "pieces"))
    passes = outcome["pieces"] / max(1, data["pieces"])
    hits, caught = 100 * outcome["hits"], 100 * outcome["caught"]
    sources = "".join(
        f"| {_ROLES[role]} | {source['name']}, weights {source['weights']} |\n"
        for role, source in described["encoders"].items()
    )
    text = f"""# An encoder pretrained from raw text

Pretrained {described["date"]} with Whorl {described["whorl"]}, by replaced-token detection.

| | |
| --- | --- |
| sizes | {sizes} |
{sources}| vocabulary | {config["vocabulary"]:,} word pieces, cased |
| text | {data["files"]} files, {counts} |
| budget | {budget}; training {end} the end of its schedule |
| seen | {outcome["pieces"]:,} pieces in {outcome["step"]:,} steps, {passes:.1f} passes |
| last losses | generator {outcome["generator"]:.3f}, detection {outcome["detection"]:.4f} |
| at the end | generator accuracy {hits:.1f} %; {caught:.1f} % of replaced pieces detected |

`encoder.json` has the complete recipe. `metrics.jsonl` and `curve.svg` show the course of training.
`check.json` has texts of the corpus, their ids, and the first values of the vectors of their first
and last pieces, to check a loader against. `generator.safetensors` holds the generator and the
detection head, so that `whorl pretrain --from` this folder continues with them.

```python
from whorl.lexicon.word_pieces import Pieces
from whorl.transformer.network import Transformer

encoder, pieces = Transformer.load("FOLDER"), Pieces.load("FOLDER")
```

Licence: it depends on that of the text; please state it here.
"""
    with replace_atomically(folder / "README.md") as partial:
        partial.write_text(text, encoding="utf-8")
