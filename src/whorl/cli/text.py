"""`whorl text`: learn, evaluate and use the tokeniser of a model; raw text from trees.

Annotations are evaluated here, not postponed: Typer would evaluate them one by one, which is slow.
"""

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from whorl.cli.choices import Errors, Newline
from whorl.cli.common import guarded, note, open_output
from whorl.cli.options import ConventionOption, ModelArgument, ModelOption
from whorl.errors import ModelError, TextError

if TYPE_CHECKING:
    from whorl.detokenisation import JoiningRules, RebuiltText
    from whorl.trees import Leaf, Tree

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="How a model cuts text: learn it from a treebank, evaluate it, use it.",
)

_SHOWN = 5  # tokens of unknown surface that are listed


class Kind(str, Enum):
    """The kinds of tokenisers."""

    penn = "penn"
    unicode = "unicode"
    learned = "learned"


TreesArgument = Annotated[
    list[str],
    typer.Argument(metavar="TREES...", help="Files of trees, or treebanks."),
]
JoiningOption = Annotated[
    str | None,
    typer.Option(
        "--joining",
        metavar="NAME|FILE",
        help="The rules by which tokens are joined to text; found by the treebank's tags, or read "
        "off its words, by default.",
    ),
]


@app.command()
@guarded
def learn(
    model: ModelArgument,
    trees: TreesArgument,
    *,
    kind: Annotated[
        Kind | None,
        typer.Option(
            "--kind", help="By default, unicode or learned, whichever suits the treebank."
        ),
    ] = None,
    joining: JoiningOption = None,
    convention: Annotated[
        str | None,
        typer.Option(
            "--convention", metavar="TREEBANK", help="For this one of the model's treebanks only."
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the training.")] = 1,
) -> None:
    """Learn how text is cut into a treebank's tokens, and save it in a model folder.

    The trees are those that the model was trained on. Their text is rebuilt by joining rules.
    """
    from pathlib import Path

    from whorl.catalogue import find_model, is_packaged
    from whorl.tokenisers.folder import save_tokeniser
    from whorl.tokenisers.learning import learn_tokeniser

    folder = find_model(model)
    if is_packaged(folder):
        raise ModelError(f"{model} is a model of the package: copy its folder, and change the copy")
    learnt = learn_tokeniser(
        _read(trees), kind=kind and kind.value, rules=_rules(joining), seed=seed, say=note
    )
    _report_unknown(learnt.unknown)
    save_tokeniser(Path(folder), learnt.tokeniser, convention)
    note(f"tokeniser saved in {folder}: {learnt.tokeniser.kind} ({learnt.reason})")


@app.command()
@guarded
def evaluate(
    model: ModelArgument,
    trees: TreesArgument,
    *,
    joining: JoiningOption = None,
    convention: ConventionOption = None,
) -> None:
    """Measure a model's tokeniser on raw text rebuilt from trees: F1 of tokens and sentences.

    A token is right if its first and last characters are, a word if its form is right too.
    Sentences are joined by a space, or by nothing if the language has no spaces.
    """
    from whorl.catalogue import find_model
    from whorl.cli.tables import show_table
    from whorl.tokenisers.evaluation import evaluate_tokeniser
    from whorl.tokenisers.folder import find_tokeniser

    tokeniser = find_tokeniser(find_model(model), convention)
    rows = []
    for path in trees:
        text = _rebuild(_read([path]), joining)
        _report_unknown(text.unknown)
        scores = evaluate_tokeniser(tokeniser, text)
        counts = (f"{len(text.sentences):,}", f"{scores.tokens.gold:,}")
        figures = (scores.tokens, scores.words, scores.sentences)
        rows.append([path, *counts, *(f"{score.f1:.2f}" for score in figures)])
    header = ["trees", "number", "of tokens", "tokens", "words", "sentences"]
    show_table(f"F1 of the tokeniser of {model} ({tokeniser.kind})", header, rows)


@app.command()
@guarded
def split(
    inputs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TEXT|FILE|-]...", help="A text, or files; - is standard input."),
    ] = None,
    *,
    model: ModelOption = None,
    newline: Annotated[
        Newline,
        typer.Option("--newline", help="A line break is a space, or ends a paragraph or sentence."),
    ] = Newline.space,
    errors: Annotated[
        Errors,
        typer.Option(
            "--errors", help="Replace a byte that is not UTF-8 by U+FFFD, or stop with an error."
        ),
    ] = Errors.replacing,
    convention: ConventionOption = None,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="Standard output by default.")
    ] = "-",
) -> None:
    """Cut text into sentences, one per line, of tokens separated by spaces."""
    from whorl.catalogue import DEFAULT, find_model
    from whorl.cli.sources import find_sources
    from whorl.escapes import escape_brackets
    from whorl.tokenisers.folder import find_tokeniser

    sources = find_sources(inputs or [], strict=errors is Errors.strict)
    tokeniser = find_tokeniser(find_model(model or DEFAULT), convention)
    with open_output(out) as output:
        for source in sources:
            for sentence in tokeniser.iter_sentences(source.chunks(), newline=newline.value):
                output.write(" ".join(map(escape_brackets, sentence.words)) + "\n")


@app.command()
@guarded
def rebuild(
    trees: TreesArgument,
    *,
    joining: JoiningOption = None,
    lines: Annotated[bool, typer.Option("--lines", help="Write one sentence per line.")] = False,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="Standard output by default.")
    ] = "-",
) -> None:
    """Write the raw text of trees, as a person would have written it.

    Sentences are joined by a space, or by nothing if the language has no spaces.
    """
    text = _rebuild(_read(trees), joining)
    _report_unknown(text.unknown)
    with open_output(out) as output:
        if lines:
            for row in text.sentences:
                output.write(text.text[row[0].start : row[-1].end] + "\n")
        else:
            output.write(text.text + "\n")


def _read(paths: list[str]) -> "list[Tree]":
    from whorl.trees import read_treebank

    trees = [tree for path in paths for tree in read_treebank(path)]
    if not trees:
        raise TextError(f"{', '.join(paths)}: no trees")
    return trees


def _rules(joining: str | None) -> "JoiningRules | None":
    from whorl.detokenisation import read_rules

    return None if joining is None else read_rules(joining)


def _rebuild(trees: "list[Tree]", joining: str | None) -> "RebuiltText":
    from whorl.detokenisation import find_rules, rebuild

    sentences: list[Sequence[Leaf]] = [tuple(tree.leaves()) for tree in trees]
    return rebuild(sentences, _rules(joining) or find_rules(sentences))


def _report_unknown(unknown: tuple[tuple[int, str], ...]) -> None:
    """List the tokens of which it is not known how they are written."""
    if unknown:
        shown = "; ".join(f"tree {number}: {form}" for number, form in unknown[:_SHOWN])
        more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
        note(
            f"{len(unknown)} token{'s' if len(unknown) > 1 else ''} whose surface is not known, "
            f"taken as they are: {shown}{more}"
        )
