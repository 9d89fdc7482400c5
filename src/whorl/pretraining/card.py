"""What goes beside a pretrained encoder's weights: a card for people, and values to check a loader against."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from whorl.files import replaced, write_json
from whorl.lexicon.word_pieces import Pieces
from whorl.transformer.network import Transformer

__all__ = ["encoder_checks", "write_card", "write_checks"]

_DIGITS = 4
_VALUES = 6


def encoder_checks(folder: Path, texts: list[str]) -> list[dict[str, Any]]:
    """For each text its ids, and the first values of the vectors of its first and last piece, on the CPU."""
    model, pieces = Transformer.load(folder), Pieces.load(folder)
    found: list[dict[str, Any]] = []
    for text in texts:
        batch = pieces.batch([text.split()])
        with torch.no_grad():
            out = model(torch.from_numpy(batch.ids))[0]  # (pieces, width)
        values = {
            "first_piece": [round(value, _DIGITS) for value in out[1, :_VALUES].tolist()],
            "last_piece": [round(value, _DIGITS) for value in out[-2, :_VALUES].tolist()],
        }
        mean = round(float(out.abs().mean()), _DIGITS + 1)
        found.append({"text": text, "ids": batch.ids[0].tolist(), **values, "mean_abs": mean})
    return found


def write_checks(folder: Path, texts: list[str]) -> None:
    """Write `check.json` for the encoder as it was saved."""
    write_json(folder / "check.json", encoder_checks(folder, texts))


def write_card(folder: Path, described: dict[str, Any], config: dict[str, Any]) -> None:
    """Write `README.md`: what the encoder is, what it was made of, and how it went."""
    data, outcome, training = (
        described["data"],
        described["outcome"],
        described["recipe"]["training"],
    )
    budget = (
        f"{training['tokens']:,} pieces"
        if training["tokens"]
        else f"{training['minutes']:g} minutes"
    )
    ended = (
        "to the end of its schedule"
        if outcome["finished"]
        else "stopped before the end of its schedule"
    )
    sizes = "{layers} layers, width {width}, {heads} heads, feed-forward {feed_forward}".format(
        **config
    )
    seen, passes = f"{outcome['pieces']:,} pieces", outcome["pieces"] / max(1, data["pieces"])
    hits, caught = 100 * outcome["hits"], 100 * outcome["caught"]
    text = f"""# An encoder pretrained from raw text

Made {described["date"]} with Whorl {described["whorl"]}, from nothing, by replaced-token detection.

| | |
| --- | --- |
| sizes | {sizes} |
| pieces | {config["vocabulary"]:,}, cased |
| text | {data["files"]} files, {data["sentences"]:,} sentences, {data["words"]:,} words, {data["pieces"]:,} pieces |
| budget | {budget}; {ended} |
| seen | {seen} in {outcome["step"]:,} steps, {passes:.1f} passes |
| last losses | generator {outcome["generator"]:.3f}, detection {outcome["detection"]:.4f} |
| at the end | the generator hits {hits:.1f} %; {caught:.1f} % of replaced pieces are caught |

`encoder.json` has the whole recipe, `metrics.jsonl` and `curve.svg` show how it went, and `check.json` has texts of the
corpus, their ids, and the first values of the vectors of their first and last pieces, to check a loader against.

```python
from whorl.lexicon.word_pieces import Pieces
from whorl.transformer.network import Transformer

encoder, pieces = Transformer.load("FOLDER"), Pieces.load("FOLDER")
```

Licence: that of the text it was trained on decides; it is for you to state here.
"""
    with replaced(folder / "README.md") as partial:
        partial.write_text(text, encoding="utf-8")
