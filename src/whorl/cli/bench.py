"""`whorl bench`: how fast a model parses here."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from whorl.cli.choices import Input
from whorl.cli.common import guarded, note, open_output
from whorl.cli.parse import BatchOption, ModelOption, TokensOption
from whorl.cli.tables import show_table
from whorl.errors import TextError
from whorl.threads import thread_variables

if TYPE_CHECKING:
    from whorl.bench.measure import Measured
    from whorl.parser import Tokens

__all__ = ["bench"]


@guarded
def bench(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE]", help="Text to parse; sentences of the package unless given."
        ),
    ] = None,
    *,
    model: ModelOption = None,
    tokens: TokensOption = False,
    trees: Annotated[
        str | None, typer.Option("--trees", metavar="FILE", help="Trees whose words to parse.")
    ] = None,
    tags: Annotated[
        bool, typer.Option("--tags", help="Keep the trees' tags, so that tagging is not timed.")
    ] = False,
    batch: BatchOption = None,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, help="Rounds, of which the best counts.")
    ] = 3,
    threads: Annotated[
        int, typer.Option("--threads", min=1, help="Threads of NumPy and PyTorch.")
    ] = 1,
    device: Annotated[str, typer.Option("--device", help="cpu or cuda.")] = "cpu",
    out: Annotated[
        str | None,
        typer.Option(
            "--json", metavar="FILE", help="Write the figures here too; - for JSON alone."
        ),
    ] = None,
) -> None:
    """Measure sentences a second, latency and memory of a model on this machine."""
    os.environ.update(thread_variables(threads))  # before NumPy is imported
    sentences = _sentences(file, trees, tokens=tokens, tags=tags)
    import json

    from whorl.bench.measure import measure
    from whorl.shipped import DEFAULT

    found = measure(
        model or DEFAULT,
        sentences,
        batch=batch,
        rounds=rounds,
        threads=threads,
        device=device,
        say=note,
    )
    if out != "-":
        _show(found)
    if out is not None:
        with open_output(out) as written:
            written.write(json.dumps(found.to_dict(), indent=1) + "\n")


def _sentences(file: str | None, trees: str | None, *, tokens: bool, tags: bool) -> list[Tokens]:
    from whorl.cli.inputs import sentence_reader
    from whorl.cli.sources import find_sources

    if file is not None and trees is not None:
        raise TextError("there are two files to parse: give FILE or --trees")
    if tags and trees is None:
        raise TextError("--tags keeps the tags of --trees, which is not given")
    if file is None and trees is None:
        from whorl.bench.measure import sample

        return [*sample()]
    kind = Input.trees if trees is not None else Input.tokens if tokens else Input.text
    (source,) = find_sources([trees or file or "-"])
    found = [
        given.tokens if tags else given.words
        for given in sentence_reader(kind)(source)
        if given.tokens
    ]
    if not found:
        raise TextError(f"{source.name} has no sentence to parse")
    return found


def _show(found: Measured) -> None:
    memory = (
        "unknown" if found.peak_memory_bytes is None else f"{found.peak_memory_bytes / 1e6:,.0f} MB"
    )
    packages = ", ".join(f"{name} {number}" for name, number in found.packages.items())
    rows = [
        ("network", f"{found.network}, {found.system}, on {found.runs_on}, {found.device}"),
        ("input", f"{found.sentences:,} sentences, {found.tokens:,} tokens"),
        (f"sentences/s, batches of {found.batch}", f"{found.sentences_per_second:,.1f}"),
        ("tokens/s", f"{found.tokens_per_second:,.0f}"),
        ("sentences/s for each GFLOP/s", f"{found.sentences_per_gflop:.2f}"),
        ("one sentence, p50", f"{found.latency_p50_ms:.2f} ms"),
        ("one sentence, p95", f"{found.latency_p95_ms:.2f} ms"),
        ("transitions per sentence", f"{found.transitions_per_sentence:.2f}"),
        ("load", f"{found.load_seconds:.2f} s"),
        ("peak memory", memory),
        ("machine", f"{found.cpu}, {found.cores} cores"),
        (
            f"sgemm, {found.threads} thread{'s' if found.threads > 1 else ''}",
            f"{found.gflops:.1f} GFLOP/s",
        ),
        ("software", f"Python {found.python}, {packages}"),
    ]
    show_table(f"{found.model}, best of {found.rounds}", ("what", "figure"), rows)
