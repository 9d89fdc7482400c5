"""Parse with the model folders of this folder, and compare with what they gave when made.

    python tests/compat/check.py               # every folder that needs no PyTorch, shipped models
    python tests/compat/check.py --write DIR...  # new folders: write their trees

It needs Whorl and nothing else, so that it runs with the oldest and newest versions of what Whorl
depends on. The help of every command and two usage errors are checked too, since they depend on
Typer, Click and Rich.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import whorl

HERE = Path(__file__).parent
TOY = HERE.parents[1] / "examples/toy.txt"
PUBLIC = (
    "(TOP (S (NP (DT The) (NN public)) (VP (VBZ is) (ADVP (RB still)) (ADJP (JJ cautious))) (. .)))"
)


def model_folders(*, kind: str) -> list[Path]:
    """Return the folders of all formats with one kind of network."""
    folders = [path.parent for path in sorted(HERE.glob("format-*/*/model.json"))]
    return [folder for folder in folders if _kind(folder) == kind]


def parse_toy(folder: Path) -> list[str]:
    """Return the trees a model gives the toy sentences; the stack-LSTM here has no tagger."""
    parser = whorl.load(folder)
    gold = whorl.read_trees(TOY.read_text(encoding="utf-8"))
    tagged = _kind(folder) == "stack-lstm"
    return [str(tree) for tree in parser.pipe(t.leaves() if tagged else t.words() for t in gold)]


def saved_trees(folder: Path) -> list[str]:
    """Return the trees that a model gave when it was made."""
    return (folder / "trees.txt").read_text(encoding="utf-8").splitlines()


def cut_toy(folder: Path) -> list[str]:
    """Return the sentences into which the model's tokeniser cuts the text of the toy sentences."""
    from whorl.detokenisation import default_rules, rebuild

    gold = [tuple(t.leaves()) for t in whorl.read_trees(TOY.read_text(encoding="utf-8"))]
    text = rebuild(gold, default_rules(gold)).text
    return [" ".join(s.words) for s in whorl.load(folder).tokeniser.segment(text)]


def commands() -> list[list[str]]:
    """Return every command of the command line, those of groups included."""
    from whorl.cli.main import app

    single = [[command.name or command.callback.__name__] for command in app.registered_commands]
    grouped = [
        [group.name, command.name or command.callback.__name__]
        for group in app.registered_groups
        for command in group.typer_instance.registered_commands
    ]
    return [[], *single, *grouped]


def failures() -> list[str]:
    """Return what does not work, as one line each."""
    from typer.testing import CliRunner

    from whorl.cli.main import app

    wrong = [
        f"{folder}: {tree!r}, not {saved!r}"
        for folder in model_folders(kind="span")
        for tree, saved in zip(parse_toy(folder), saved_trees(folder), strict=True)
        if tree != saved
    ]
    wrong += [
        f"{path}: {sentence!r}, not {saved!r}"
        for path in sorted(HERE.glob("format-*/*/sentences.txt"))
        for sentence, saved in zip(
            cut_toy(path.parent), path.read_text(encoding="utf-8").splitlines(), strict=True
        )
        if sentence != saved
    ]
    for model in whorl.shipped_models():
        tree = whorl.load(model.name).parse(["The", "public", "is", "still", "cautious", "."])
        wrong += [f"{model.name}: {tree}"] if str(tree) != PUBLIC else []
    for command in commands():
        result = CliRunner().invoke(app, [*command, "--help"])
        if result.exit_code or "Usage:" not in result.output:
            wrong.append(f"whorl {' '.join(command)} --help: {result.exception!r}")
    for command in (["evaluate", "gold.txt"], ["parse", "--nonsense"]):
        result = CliRunner().invoke(app, command)
        if result.exit_code != 2:
            wrong.append(f"whorl {' '.join(command)}: {result.exception!r}, not a usage error")
    return wrong


def _kind(folder: Path) -> str:
    return str(json.loads((folder / "model.json").read_text(encoding="utf-8"))["kind"])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        for folder in map(Path, sys.argv[2:]):
            trees = "".join(f"{tree}\n" for tree in parse_toy(folder))
            (folder / "trees.txt").write_text(trees, encoding="utf-8")
            if "tokeniser" in (folder / "model.json").read_text(encoding="utf-8"):
                sentences = "".join(f"{sentence}\n" for sentence in cut_toy(folder))
                (folder / "sentences.txt").write_text(sentences, encoding="utf-8")
    elif wrong := failures():
        sys.exit("\n".join(wrong))
    else:
        print(f"{len(model_folders(kind='span'))} folders, {len(commands())} commands: all well")
