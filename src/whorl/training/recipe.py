"""Recipes: everything that a training run depends on, from a commented TOML file and overrides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from whorl.networks import NETWORKS
from whorl.training.settings import FRACTION, POSITIVE, Range, Settings
from whorl.transitions import SYSTEMS

__all__ = ["PATHS", "Data", "Model", "Recipe", "Source", "Span", "Training"]


@dataclass(frozen=True, slots=True)
class Data:
    """What to train on: one treebank, or, for the `span` network, a mix of sources.

    `test` is for experiments, which parse it once a run is done. `train_tags`, `dev_tags` and
    `test_tags` are files of tagged sentences, for the tags of another tagger. Jackknifed tags and
    the tagger depend on the trees, the vectors, `folds` and `tagger_seed` alone, and are kept in
    the folder `tagging`, which runs may share; in a run's own folder where it is empty. The `span`
    network tags words itself and looks at none of these.

    `splice` are labels of phrases that are taken out of all trees, so that their children move up.
    `convention` names the source whose way of annotating a model follows unless told otherwise;
    none is a mean of all. With `lower_capitals` a sentence that is all in capitals is read in lower
    case. All three for `span`.
    """

    train: str = ""
    dev: str = ""
    test: str = ""
    vectors: str = ""
    tags: str = "jackknife"
    train_tags: str = ""
    dev_tags: str = ""
    test_tags: str = ""
    folds: int = 10
    tagger_seed: int = 1
    tagging: str = ""
    splice: tuple[str, ...] = ()
    convention: str = ""
    lower_capitals: bool = False


PATHS = ("train", "dev", "test", "vectors", "train_tags", "dev_tags", "test_tags", "tagging")
"""The keys of `Data` that name files and folders."""


@dataclass(frozen=True, slots=True)
class Source:
    """One treebank of a mix.

    An epoch has `weight` times its sentences: half of them, another half each time, or each of them
    twice. Documents that match a pattern of `exclude`, or that the file `exclude_file` lists, stay
    out; which document a tree is of says the file beside the trees that ends in `.docs`, line by
    line. Of trees that `whorl label` made, those with less confidence than `least` stay out, as the
    files beside them say that end in `.scores`; they follow the convention of another treebank of
    the mix, the one in whose `convention` they were labelled. The share `recased` of the trees is
    read in capitals and as many more in lower case, so that the parser knows text that is written
    so.
    """

    name: str = ""
    train: str = ""
    dev: str = ""
    weight: float = 1.0
    exclude: tuple[str, ...] = ()
    exclude_file: str = ""
    least: float = 0.0
    convention: str = ""
    recased: float = 0.0


@dataclass(frozen=True, slots=True)
class Span:
    """The `span` network. A size of 0 leaves a part out.

    `encoder` is the folder of a transformer of ours, or of a parser over one, whose transformer is
    taken; of its layers every so manieth, as `encoder_every` says, and of those the first
    `encoder_layers` (0: all). Or `huggingface` names one for the `transformers` library. A BiLSTM
    comes over it, unless it has 0 layers, or what `context` names
    (`whorl.span.encoders.registry`). Limits keep the vocabulary small: the most frequent so
    many words are learned, the first so many vectors are read (0: all).
    """

    word_dim: int = 64
    word_limit: int = 0
    vector_limit: int = 0
    character_dim: int = 64
    context: str = "lstm"
    lstm_dim: int = 256
    lstm_layers: int = 2
    hidden_dim: int = 128
    dropout: float = 0.33
    encoder: str = ""
    encoder_layers: int = 0
    encoder_every: int = 1
    huggingface: str = ""


@dataclass(frozen=True, slots=True)
class Model:
    """The network, and the sizes of the stack-LSTM, which are those of the paper's Table 1."""

    network: str = "stack-lstm"
    system: str = "nonbinary"
    heads: str = "english"
    word_dim: int = 32
    tag_dim: int = 12
    transition_dim: int = 16
    input_dim: int = 128
    hidden_dim: int = 128
    layers: int = 2
    dropout: float = 0.2


@dataclass(frozen=True, slots=True)
class Training:
    """How to train; learning rate, decay and L2 are those of Table 1.

    `regular` is the probability β of following a wrong transition that scores best, `aggressive`
    the margin α under which the best wrong one is followed although the right one scores higher
    (§7.2); 0 turns either off. So many sentences as `explore` says are rolled out with the same
    weights before they are learned from.

    The rate rises for `warmup` batches, but for no more than two epochs. Then it falls with each
    epoch (`inverse`: rate / (1 + decay * epoch)), or with each batch to nothing at the end
    (`linear`). A transformer under the `span` network has a rate of its own.
    """

    oracle: str = "static"
    loss: str = "zero-cost"
    regular: float = 0.1
    aggressive: float = 0.0
    explore: int = 256
    optimiser: str = "sgd"
    rate: float = 0.1
    encoder_rate: float = 1e-4
    schedule: str = "inverse"
    decay: float = 0.05
    warmup: int = 500
    l2: float = 1e-6
    clip: float = 20.0
    batch: int = 16
    epochs: int = 40
    patience: int = 10
    unknown: float = 0.5
    generic: float = (
        0.15  # how often a sentence of a mix is taken for one of no treebank in particular
    )
    tag_weight: float = 1.0  # of the tags' loss beside the transitions'
    precision: str = "float32"  # of the matrix products on a GPU
    seed: int = 1
    device: str = "cpu"
    export: str = "none"  # the precision in which a `span` model is exported in the end, to run without PyTorch


@dataclass(frozen=True, slots=True)
class Recipe(Settings):
    """A training run: its data, its network, its settings; for a mix of treebanks, where they come from."""

    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "network": tuple(NETWORKS),
        "system": tuple(SYSTEMS),
        "tags": ("jackknife", "gold", "column"),
        "oracle": ("static", "dynamic"),
        "loss": ("zero-cost", "taken"),
        "optimiser": ("sgd", "adam", "adamw"),
        "schedule": ("inverse", "linear"),
        "precision": ("float32", "bfloat16"),
        "export": ("none", "float32", "float16", "int8"),
    }
    ranges: ClassVar[Mapping[str, Range]] = {
        "data.folds": Range(2),
        "span.hidden_dim": POSITIVE,
        "span.encoder_every": POSITIVE,
        "span.dropout": Range(0, 1, with_high=False),
        "model.tag_dim": POSITIVE,
        "model.transition_dim": POSITIVE,
        "model.input_dim": POSITIVE,
        "model.hidden_dim": POSITIVE,
        "model.layers": POSITIVE,
        "model.dropout": Range(0, 1, with_high=False),
        "training.regular": FRACTION,
        "training.clip": Range(0, with_low=False),
        "training.batch": POSITIVE,
        "training.epochs": POSITIVE,
        "training.unknown": FRACTION,
        "training.generic": FRACTION,
        "treebank.least": FRACTION,
        "treebank.recased": Range(0, 0.5),
    }
    paths: ClassVar[tuple[tuple[str, str], ...]] = (
        *(("data", name) for name in PATHS),
        ("span", "encoder"),
        *(("treebank", name) for name in ("train", "dev", "exclude_file")),
    )
    repeated: ClassVar[Mapping[str, Any]] = {"treebank": Source}

    data: Data = field(default_factory=Data)
    model: Model = field(default_factory=Model)
    span: Span = field(default_factory=Span)
    training: Training = field(default_factory=Training)
    treebank: tuple[Source, ...] = ()
