"""`whorl corpus`: corpora of any size, into shards."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whorl.cli.choices import Newline
from whorl.cli.common import guarded, note
from whorl.cli.options import (
    BatchOption,
    ConventionOption,
    DeviceOption,
    HyphensOption,
    ModelOption,
    out_folder,
)
from whorl.errors import CorpusError

if TYPE_CHECKING:
    from whorl.cli.progress import ProgressDisplay
    from whorl.corpus import CorpusRun, Progress
    from whorl.corpus.run import Execute

__all__ = ["corpus"]

_MOST_GPU_WORKERS = 16
"""As many as were measured: eight to sixteen still gained 39 % (docs/scale.md)."""


class _Kind(str, Enum):
    text = "text"
    jsonl = "jsonl"
    parquet = "parquet"


class _Documents(str, Enum):
    file = "file"
    line = "line"
    paragraph = "paragraph"


class _ShardFormat(str, Enum):
    parquet = "parquet"
    jsonl = "jsonl"


class _InvalidUtf8(str, Enum):
    setting_aside = "set-aside"
    replacing = "replace"


@guarded
def corpus(
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE|FOLDER|GLOB]...",
            help="Text, JSONL or Parquet; text and JSONL also as .gz, .xz, .zst.",
        ),
    ] = None,
    *,
    out: Annotated[str, out_folder("The folder for the shards; an earlier run there continues.")],
    shards: Annotated[
        str | None,
        typer.Option(
            "--shards",
            metavar="URI",
            help="Write shards here, such as s3://bucket/parsed; the rest stays in --out.",
        ),
    ] = None,
    model: ModelOption = None,
    kind: Annotated[
        _Kind | None,
        typer.Option("--from", help="What the input is; by default, its file names say so."),
    ] = None,
    documents: Annotated[
        _Documents | None,
        typer.Option("--documents", help="What a document is in text.", show_default="file"),
    ] = None,
    text: Annotated[
        str, typer.Option("--text", metavar="COLUMN", help="The field or column with the text.")
    ] = "text",
    id_column: Annotated[
        str | None,
        typer.Option("--id", metavar="COLUMN", help="The field or column that names a document."),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            "--keep",
            metavar="COLUMN[=TYPE]",
            help="Carry a field or column through; repeat it for several.",
        ),
    ] = None,
    tokens: Annotated[
        bool,
        typer.Option("--tokens", help="Each line of a document is a tokenised sentence."),
    ] = False,
    newline: Annotated[
        Newline,
        typer.Option(
            "--newline", help="A line break is a space, or ends a paragraph or a sentence."
        ),
    ] = Newline.space,
    hyphens: HyphensOption = None,
    invalid_utf8: Annotated[
        _InvalidUtf8,
        typer.Option(
            "--invalid-utf8", help="Set a document aside, or replace bad bytes by U+FFFD."
        ),
    ] = _InvalidUtf8.setting_aside,
    longest_document: Annotated[
        str,
        typer.Option("--longest-document", metavar="SIZE", help="Set longer documents aside."),
    ] = "64MB",
    format_name: Annotated[
        _ShardFormat, typer.Option("--format", "-f", help="Of the shards.")
    ] = _ShardFormat.parquet,
    with_tokens: Annotated[
        bool, typer.Option("--with-tokens", help="Also write words with tags and offsets.")
    ] = False,
    with_constituents: Annotated[
        bool,
        typer.Option(
            "--with-constituents", help="Also write phrases with offsets and probabilities."
        ),
    ] = False,
    convention: ConventionOption = None,
    beam: Annotated[int, typer.Option("--beam", min=1, help="Beam width; 1 is greedy.")] = 1,
    batch: BatchOption = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            min=1,
            help="Worker processes, or actors of Ray.",
            show_default="one per core",
        ),
    ] = None,
    device: DeviceOption = "cpu",
    ray: Annotated[
        bool, typer.Option("--ray", help="Parse on a Ray that is started on this machine.")
    ] = False,
    ray_address: Annotated[
        str | None,
        typer.Option(
            "--ray-address",
            metavar="ADDRESS",
            help="Parse on the Ray cluster at this address; auto: on the one that runs here.",
        ),
    ] = None,
    share: Annotated[
        str,
        typer.Option(
            "--shard",
            metavar="N/OF",
            help="Parse one part of the corpus, such as 3/16, for arrays of jobs.",
        ),
    ] = "1/1",
    piece_size: Annotated[
        str | None,
        typer.Option(
            "--piece-size",
            metavar="SIZE",
            help="Bytes of input for each shard.",
            show_default="by the input, 128kB to 8MB",
        ),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at a document that cannot be read.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Remove an earlier run and start anew.")
    ] = False,
    status: Annotated[
        bool, typer.Option("--status", help="Print how far the run in the folder is.")
    ] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Check the shards in the folder.")
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Count documents and pieces, estimate the time, and stop."),
    ] = False,
) -> None:
    """Parse a corpus of any size into shards.

    Killed at any moment, the same command continues. Documents that cannot be read are listed in
    errors.jsonl.
    """
    if status or verify:
        _report(Path(out), verify=verify)
        return
    from whorl.catalogue import DEFAULT
    from whorl.corpus import CorpusOptions, CorpusRun, Share
    from whorl.corpus.columns import parse_kept_columns
    from whorl.corpus.options import parse_size

    if not inputs:
        raise CorpusError("no input: give files, folders or globs")
    options = CorpusOptions(
        kind=None if kind is None else kind.value,
        documents=None if documents is None else documents.value,
        text=text,
        id=id_column,
        keep=parse_kept_columns(keep or []),
        tokens=tokens,
        newline=newline.value,
        hyphens=None if hyphens is None else hyphens.value,
        invalid_utf8=invalid_utf8.value,
        longest_document=parse_size(longest_document),
        piece_size=0 if piece_size is None else parse_size(piece_size),
        convention=convention,
        beam=beam,
        batch_size=batch,
        device=device,
        format=format_name.value,
        with_tokens=with_tokens,
        with_constituents=with_constituents,
        shards=shards,
    )
    run = CorpusRun(
        inputs=inputs,
        out=Path(out),
        options=options,
        model=model or DEFAULT,
        jobs=jobs or _default_jobs(device),
        share=Share.parse(share),
        strict=strict,
        overwrite=overwrite,
    )
    if dry_run:
        _estimate(run)
    else:
        _run(run, _ray_execution(run, ray_address, jobs) if ray or ray_address else None)


def _default_jobs(device: str) -> int:
    """Return one worker per core; on a GPU each has the model, so there is a limit."""
    from whorl.bench.machine import cores

    return cores() if device == "cpu" else min(cores(), _MOST_GPU_WORKERS)


def _ray_execution(run: CorpusRun, address: str | None, actors: int | None) -> Execute:
    from whorl.catalogue import find_model
    from whorl.corpus.ray_cluster import RayCluster

    return RayCluster(find_model(run.model), address, actors).execute


def _run(run: CorpusRun, execute: Execute | None) -> None:
    from whorl.cli.progress import ProgressDisplay
    from whorl.corpus import run_corpus

    with ProgressDisplay() as display:
        meter = _Meter(display)
        try:
            progress = run_corpus(run, execute=execute, on_progress=meter.update, note=note)
        except KeyboardInterrupt:
            display.close()
            note(
                f"{meter.shards} shards are complete; the same command"
                f"{' without --overwrite' if run.overwrite else ''} continues"
            )
            raise
    note(_summary(progress, run.out))
    if progress.errors and not progress.documents:
        raise CorpusError(f"no document could be read: see {run.out / 'errors.jsonl'}")


class _Meter:
    """Shows progress, and how fast this run is."""

    def __init__(self, display: ProgressDisplay) -> None:
        self.shards = 0
        self._display = display
        self._first: Progress | None = None
        self._begin = 0.0

    def update(self, progress: Progress) -> None:
        """Show what is done; the time left is that of the rate since the run began."""
        import time

        self.shards = progress.shards
        if self._first is None:
            self._first, self._begin = progress, time.monotonic()
        seconds = time.monotonic() - self._begin
        sentences = progress.sentences - self._first.sentences
        done = progress.disk_bytes - self._first.disk_bytes
        left = progress.total_bytes - progress.disk_bytes
        fraction = progress.disk_bytes / max(1, progress.total_bytes)
        rate = f", {sentences / seconds:,.0f} a second" if seconds > 1 else ""
        self._display.show(
            "corpus",
            min(fraction, 0.999),
            seconds * left / done if done > 0 else None,
            text=f"{progress.sentences:,} sentences{rate}",
        )


def _summary(progress: Progress, out: Path) -> str:
    text = (
        f"{progress.sentences:,} sentences of {progress.documents:,} documents "
        f"in {progress.shards:,} shards in {out}"
    )
    if progress.errors:
        text += f"; {progress.errors:,} documents set aside: see errors.jsonl"
    return text if progress.is_complete else f"{text}; other parts are not complete"


def _estimate(run: CorpusRun) -> None:
    from whorl.corpus.estimate import estimate_run

    estimate = estimate_run(run)
    print(f"{estimate.files:,} files, {estimate.bytes:,} bytes")
    print(f"{estimate.documents:,} documents, {estimate.characters:,} characters")
    if estimate.errors:
        print(f"{estimate.errors:,} documents cannot be read")
    print(f"{estimate.pieces:,} pieces")
    print(f"about {_duration(estimate.seconds)} with --jobs {run.jobs}")


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:,.1f} hours"


def _report(out: Path, *, verify: bool) -> None:
    from whorl.corpus.verification import read_status, verify_shards

    status = read_status(out)
    progress = status.progress
    if progress.is_complete:
        print("complete")
    else:
        share = progress.disk_bytes / max(1, progress.total_bytes)
        print(f"{'running' if status.is_running else 'not running'}, about {share:.0%} done")
    print(
        f"{progress.shards:,} shards, {progress.documents:,} documents, "
        f"{progress.sentences:,} sentences, {progress.errors:,} errors"
    )
    print(f"model {status.model}, {status.files:,} input files, {progress.total_bytes:,} bytes")
    if not verify:
        return
    bad = [f"{name}: {reason}" for name, reason in verify_shards(out) if reason is not None]
    if bad:
        raise CorpusError(
            "\n  ".join([f"{len(bad)} files of {out} are not as they were written:", *bad])
            + "\nremove damaged shards, and the same command writes them again"
        )
    print("all shards are as they were written")
