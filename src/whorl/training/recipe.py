"""Recipes: everything that a training run depends on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from whorl.errors import RecipeError
from whorl.networks import NETWORKS
from whorl.training.settings import FRACTION, POSITIVE, Range, Section, Settings
from whorl.transitions import SYSTEMS

__all__ = ["DataSettings", "ModelSettings", "Recipe", "Source", "TrainingSettings"]

SectionType = TypeVar("SectionType", bound=Section)


@dataclass(frozen=True, slots=True)
class DataSettings(Section):
    """The treebank to train on; the `span` network also accepts a mix, as `[[treebank]]` tables.

    `test` is for experiments, which parse it once a run has ended.

    For the stack-LSTM: `tags` chooses between jackknifed tags, gold tags and the tags of another
    tagger, read from the files `train_tags`, `dev_tags` and `test_tags`. Jackknifed tags and the
    tagger depend only on the trees, the vectors, `folds` and `tagger_seed`. They are kept in the
    folder `tagging`, which runs may share, by default in the run's folder.

    For `span`: phrases whose labels are in `splice` are removed from all trees, and their children
    attached to the parent. `convention` names the treebank of a mix whose annotation a model
    follows by default; if empty, it follows a mean of all. With `lower_capitals`, a sentence
    written in capitals is read in lower case.

    `punctuation` lists the tags of the treebank's punctuation, for scores without punctuation that
    are its own; if empty, they are the tags whose words show it.
    """

    allowed: ClassVar[Mapping[str, tuple[str, ...]]] = {"tags": ("jackknife", "gold", "column")}
    ranges: ClassVar[Mapping[str, Range]] = {"folds": Range(2)}
    paths: ClassVar[tuple[str, ...]] = (
        *("train", "dev", "test", "vectors"),
        *("train_tags", "dev_tags", "test_tags", "tagging"),
    )

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
    punctuation: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Source(Section):
    """One treebank of a mix.

    An epoch has `weight` times its trees: 2 is every tree twice, 0.5 a different half each epoch.

    Documents that match a pattern in `exclude`, or that the file `exclude_file` lists, are left
    out; the `.docs` file next to the trees names the document of each tree.

    Silver trees, written by `whorl label`, follow the `convention` of another treebank of the mix.
    Those with a confidence below `least` are left out; the `.scores` files next to the trees hold
    the confidences.

    The share `recased` of the trees is read in capitals and the same share in lower case, so that
    the parser learns such text. Likewise, the share `lowered` is read in lower case, `typos` with
    typing errors, and `chat` in the spelling of English chats: see `whorl.training.noise`.

    `substitution` is that of this treebank, in place of `training.substitution`, unless it is 0.

    `punctuation` lists the tags of this treebank's punctuation, if they differ from those of the
    others.
    """

    ranges: ClassVar[Mapping[str, Range]] = {
        "least": FRACTION,
        "recased": Range(0, 0.5),
        **dict.fromkeys(("lowered", "typos", "chat"), FRACTION),
    }
    paths: ClassVar[tuple[str, ...]] = ("train", "dev", "exclude_file")

    name: str = ""
    train: str = ""
    dev: str = ""
    weight: float = 1.0
    exclude: tuple[str, ...] = ()
    exclude_file: str = ""
    least: float = 0.0
    convention: str = ""
    recased: float = 0.0
    lowered: float = 0.0
    typos: float = 0.0
    chat: float = 0.0
    substitution: float = 0.0
    punctuation: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelSettings(Section):
    """The network and its transition system; `heads` are the head rules of the binary system."""

    allowed: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "network": tuple(NETWORKS),
        "system": tuple(SYSTEMS),
    }

    network: str = "stack-lstm"
    system: str = "nonbinary"
    heads: str = "english"


@dataclass(frozen=True, slots=True)
class TrainingSettings(Section):
    """Oracle, optimiser and schedule; learning rate, decay and L2 are those of the paper's Table 1.

    Exploration with the dynamic oracle (§7.2): `regular` is the probability β of following a wrong
    transition that scores best, `aggressive` the margin α within which the best wrong transition
    is followed although the right one scores higher; 0 turns either off. `explore` sentences are
    parsed with the same weights before the network learns from them.

    The rate rises over `warmup` batches, but at most two epochs. Then it falls with each epoch
    (`inverse`: rate / (1 + decay * epoch)) or with each batch, to zero at the end (`linear`).
    `encoder_rate` is that of a transformer under the `span` network; 0 keeps it as it is.

    Also for `span`: an epoch has, beside the trees, `substitution` times as many in which phrases
    are replaced by others of the treebank (see `whorl.training.substitution`); silver trees are not
    counted. `generic` is the share of a mix's sentences that are read without a treebank,
    `given_tags` the share that is read with gold tags (0: the network never reads tags),
    `tag_weight` the weight of the tagging loss relative to the transition loss, and `export` the
    precision in which the model is exported at the end. `precision` is that of matrix products;
    bfloat16 is used on GPUs and processors that are fast at it, float32 on others.
    """

    allowed: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "oracle": ("static", "dynamic"),
        "loss": ("zero-cost", "taken"),
        "optimiser": ("sgd", "adam", "adamw"),
        "schedule": ("inverse", "linear"),
        "precision": ("float32", "bfloat16"),
        "export": ("none", "float32", "float16", "int8"),
    }
    ranges: ClassVar[Mapping[str, Range]] = {
        "regular": FRACTION,
        "clip": Range(0, with_low=False),
        "batch": POSITIVE,
        "epochs": POSITIVE,
        "unknown": FRACTION,
        "generic": FRACTION,
        "given_tags": FRACTION,
        "seed": Range(0, 2**63 - 1),
    }

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
    substitution: float = 0.0
    generic: float = 0.15
    given_tags: float = 0.0
    tag_weight: float = 1.0
    precision: str = "float32"
    seed: int = 1
    device: str = "cpu"
    export: str = "none"


def _network_sections() -> tuple[Section, ...]:
    return tuple(network.resolve("settings")() for network in NETWORKS.values())


@dataclass(frozen=True, slots=True)
class Recipe(Settings):
    """A training run: its data, networks and training, and the treebanks of a mix.

    Every registered network adds a section. `[model]` is the stack-LSTM's, which extends
    `ModelSettings`.
    """

    repeated: ClassVar[Mapping[str, type[Section]]] = {"treebank": Source}

    data: DataSettings = field(default_factory=DataSettings)
    networks: tuple[Section, ...] = field(default_factory=_network_sections)
    training: TrainingSettings = field(default_factory=TrainingSettings)
    treebank: tuple[Source, ...] = ()

    @property
    def model(self) -> ModelSettings:
        """The network and its transition system."""
        return self.section(ModelSettings)

    def section(self, kind: type[SectionType]) -> SectionType:
        """Return the network section of a class."""
        for section in self.networks:
            if isinstance(section, kind):
                return section
        raise RecipeError(f"no network has a section {kind.__name__}")

    def sections(self) -> dict[str, Any]:
        """Return the sections by name, those of networks by the names in the registry."""
        names = [network.section for network in NETWORKS.values()]
        return {
            "data": self.data,
            **dict(zip(names, self.networks, strict=True)),
            "training": self.training,
            "treebank": self.treebank,
        }

    def with_section(self, name: str, value: object) -> Recipe:
        """Return the recipe with one section replaced."""
        names = [network.section for network in NETWORKS.values()]
        if name not in names:
            return Settings.with_section(self, name, value)
        sections = zip(names, self.networks, strict=True)
        networks = tuple(value if other == name else section for other, section in sections)
        return Settings.with_section(self, "networks", networks)
