"""`whorl bench`: the speed of a model on this machine."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from whorl.cli.choices import Input
from whorl.cli.common import guarded, note, open_output
from whorl.cli.options import BatchOption, DeviceOption, ModelOption, TokensOption
from whorl.cli.tables import show_table
from whorl.errors import TextError
from whorl.threads import thread_variables

if TYPE_CHECKING:
    from whorl.bench.measure import Measurement
    from whorl.parser import Tokens

__all__ = ["bench"]


@guarded
def bench(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE]", help="Text to parse; by default, sentences of the package."
        ),
    ] = None,
    *,
    model: ModelOption = None,
    tokens: TokensOption = False,
    trees: Annotated[
        str | None, typer.Option("--trees", metavar="FILE", help="Trees whose words to parse.")
    ] = None,
    tags: Annotated[
        bool, typer.Option("--tags", help="Keep the tags of --trees, so that tagging is not timed.")
    ] = False,
    batch: BatchOption = None,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, help="The fastest of this many rounds counts.")
    ] = 3,
    threads: Annotated[
        int, typer.Option("--threads", min=1, help="Threads of NumPy and PyTorch.")
    ] = 1,
    device: DeviceOption = "cpu",
    out: Annotated[
        str | None,
        typer.Option(
            "--json",
            metavar="FILE",
            help="Also write the figures here; - prints JSON and no table.",
        ),
    ] = None,
) -> None:
    """Measure the throughput, latency and memory use of a model on this machine."""
    os.environ.update(thread_variables(threads))  # before NumPy is imported
    sentences = _sentences(model, file, trees, tokens=tokens, tags=tags)
    import json

    from whorl.bench.measure import measure
    from whorl.catalogue import DEFAULT

    figures = measure(
        model or DEFAULT,
        sentences,
        batch=batch,
        rounds=rounds,
        threads=threads,
        device=device,
        say=note,
    )
    if out != "-":
        _show(figures)
    if out is not None:
        with open_output(out) as file_out:
            file_out.write(json.dumps(figures.to_dict(), indent=1) + "\n")


def _sentences(
    model: str | None, file: str | None, trees: str | None, *, tokens: bool, tags: bool
) -> list[Tokens]:
    from whorl.catalogue import DEFAULT, find_model
    from whorl.cli.inputs import sentence_reader
    from whorl.cli.sources import find_sources
    from whorl.tokenisers.folder import find_tokeniser

    if file is not None and trees is not None:
        raise TextError("there are two files to parse: give FILE or --trees, not both")
    if tags and trees is None:
        raise TextError("--tags keeps the tags of --trees: give --trees too")
    if file is None and trees is None:
        from whorl.bench.measure import sample_sentences

        return [*sample_sentences()]
    kind = Input.trees if trees is not None else Input.tokens if tokens else Input.text
    (source,) = find_sources([trees or file or "-"])
    tokeniser = find_tokeniser(find_model(model or DEFAULT))
    sentences = [
        sentence.tokens if tags else sentence.words
        for sentence in sentence_reader(kind, tokeniser)(source)
        if sentence.tokens
    ]
    if not sentences:
        raise TextError(f"{source.name} has no sentence to parse")
    return sentences


def _show(figures: Measurement) -> None:
    memory = (
        "unknown"
        if figures.peak_memory_bytes is None
        else f"{figures.peak_memory_bytes / 1e6:,.0f} MB"
    )
    packages = ", ".join(f"{name} {number}" for name, number in figures.packages.items())
    rows = [
        ("network", f"{figures.network}, {figures.system}, on {figures.runs_on}, {figures.device}"),
        ("input", f"{figures.sentences:,} sentences, {figures.tokens:,} tokens"),
        (f"sentences/s, batches of {figures.batch}", f"{figures.sentences_per_second:,.1f}"),
        ("tokens/s", f"{figures.tokens_per_second:,.0f}"),
        ("sentences/s for each GFLOP/s", f"{figures.sentences_per_gflop:.2f}"),
        ("one sentence, p50", f"{figures.latency_p50_ms:.2f} ms"),
        ("one sentence, p95", f"{figures.latency_p95_ms:.2f} ms"),
        ("transitions per sentence", f"{figures.transitions_per_sentence:.2f}"),
        ("load", f"{figures.load_seconds:.2f} s"),
        ("peak memory", memory),
        ("machine", f"{figures.cpu}, {figures.cores} cores"),
        (
            f"sgemm, {figures.threads} thread{'s' if figures.threads > 1 else ''}",
            f"{figures.gflops:.1f} GFLOP/s",
        ),
        ("software", f"Python {figures.python}, {packages}"),
    ]
    show_table(f"{figures.model}, best of {figures.rounds}", ("what", "figure"), rows)
