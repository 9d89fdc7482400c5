"""The training loop: a generator of epochs. Logging, saving and showing progress are outside it."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from whorl.data.batch import Batch, Ints, Sample, collate
from whorl.data.encoder import Encoder
from whorl.decoding import decode
from whorl.evaluation import Report, evaluate
from whorl.models.stack_lstm import StackLSTM
from whorl.models.stack_lstm_decoder import StackLSTMDecoder
from whorl.training.explore import Exploration, Policy
from whorl.training.recipe import Training
from whorl.trees import Leaf, Tree, strip_root
from whorl.trees.tree import make_tree

__all__ = ["Epoch", "Trainer", "Treebank", "buckets", "score", "sequence_loss"]


@dataclass(frozen=True, slots=True)
class Treebank:
    """Gold trees, and their sentences with the tags that the parser will see."""

    trees: list[Tree]
    sentences: list[list[Leaf]]


@dataclass(frozen=True, slots=True)
class Epoch:
    """What an epoch came to."""

    number: int
    loss: float  # per transition
    rate: float
    seconds: float
    dev_f1: float
    dev_exact: float
    dev_seconds: float

    def to_dict(self) -> dict[str, float]:
        """For a log."""
        return {name: getattr(self, name) for name in self.__slots__}


def score(treebank: Treebank, parsed: Sequence[Tree]) -> Report:
    """Score parsed trees under the gold tags.

    EVALB leaves punctuation out by its tag, so that a wrong tag would make the words of two trees differ and the
    sentence an error. What is measured here is the brackets; the tags are measured apart.
    """
    return evaluate(treebank.trees, list(map(_under_gold_tags, treebank.trees, parsed)))


def _under_gold_tags(gold: Tree, parsed: Tree) -> Tree:
    leaves = gold.leaves()
    tree: Tree = parsed.rebuild(
        leaf=lambda leaf: leaves[leaf.left],
        phrase=lambda node, children: make_tree(node.label, children, node.left, node.right),
    )
    return tree


def sequence_loss(scores: Tensor, masks: Tensor, targets: Tensor) -> Tensor:
    """The negative log-probability of the targets, among the legal transitions, summed over all steps.

    Where a step has several targets it is that of any of them. Steps whose targets the inventory lacks do not count.
    """
    legal = scores.masked_fill(~masks, -torch.inf).log_softmax(dim=1)  # (steps, transitions)
    given = targets >= 0  # (steps, alternatives)
    chosen = legal.gather(1, targets.clamp(min=0)).masked_fill(~given, -torch.inf)
    counted = given.any(dim=1)
    return -chosen[counted].logsumexp(dim=1).sum()


def buckets(lengths: Sequence[int], size: int, random: np.random.Generator) -> list[list[int]]:
    """Batches of sentences of about one length, in random order."""
    jittered = np.array(lengths) + random.random(len(lengths)) * 8
    order = np.argsort(jittered, kind="stable").tolist()
    batches = [order[start : start + size] for start in range(0, len(order), size)]
    random.shuffle(batches)
    return batches


class Trainer:
    """A network and its optimiser over a treebank. Each epoch draws its own randomness from seed and number.

    So a run that is taken up again after an epoch goes on exactly as if it had never stopped.
    """

    def __init__(
        self, model: StackLSTM, encoder: Encoder, settings: Training, train: Treebank, samples: list[Sample]
    ) -> None:
        self.model = model
        self.encoder = encoder
        self.settings = settings
        self.train = train
        self.samples = samples
        self.parameters = [p for p in model.parameters() if p.requires_grad]
        self.optimiser = self._optimiser()
        policy = Policy(settings.regular, settings.aggressive)
        self.exploration = Exploration(encoder, policy, on_taken=settings.loss == "taken")
        self.epoch = 0
        self._rare, self._unknown = _rare_words(encoder)

    def _optimiser(self) -> torch.optim.Optimizer:
        settings = self.settings
        if settings.optimiser == "adam":
            return torch.optim.Adam(self.parameters, lr=settings.rate, weight_decay=settings.l2, betas=(0.9, 0.98))
        return torch.optim.SGD(self.parameters, lr=settings.rate, weight_decay=settings.l2)

    def epochs(self, dev: Treebank, *, on_batch: Callable[[int, int], None] | None = None) -> Iterator[Epoch]:
        """Train, epoch after epoch, up to the number in the settings; `on_batch` hears of sentences done."""
        while self.epoch < self.settings.epochs:
            started = time.perf_counter()
            loss, rate = self._train_epoch(on_batch)
            trained = time.perf_counter()
            report = score(dev, self.parse(dev.sentences))
            self.epoch += 1
            yield Epoch(
                number=self.epoch,
                loss=loss,
                rate=rate,
                seconds=trained - started,
                dev_f1=report.f1,
                dev_exact=report.exact,
                dev_seconds=time.perf_counter() - trained,
            )

    def parse(self, sentences: Sequence[Sequence[Leaf]], *, batch: int = 128) -> list[Tree]:
        """Parse with the network as it is."""
        decoder = StackLSTMDecoder(self.model)
        trees: list[Tree] = []
        for start in range(0, len(sentences), batch):
            trees += [done.tree for done in decode(decoder, self.encoder, sentences[start : start + batch])]
        return trees

    def _train_epoch(self, on_batch: Callable[[int, int], None] | None) -> tuple[float, float]:
        settings = self.settings
        seeds = np.random.SeedSequence([settings.seed, self.epoch])
        random = np.random.default_rng(seeds)
        torch.manual_seed(int(seeds.generate_state(1)[0]))
        rate = settings.rate / (1 + settings.decay * self.epoch)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        total = torch.zeros((), device=self.model.device)
        steps = done = 0
        for samples in self._batches(random):
            batch = collate(samples)
            self._hide_rare_words(batch.words, random)
            total += self.step(batch)
            steps += len(batch.transitions)
            done += batch.size
            if on_batch is not None:
                on_batch(done, len(self.samples))
        return float(total) / max(1, steps), rate

    def _batches(self, random: np.random.Generator) -> Iterator[list[Sample]]:
        """The epoch's batches; with the dynamic oracle, of what exploration visits, many batches at a time."""
        chosen = buckets([len(sample.transitions) for sample in self.samples], self.settings.batch, random)
        if self.settings.oracle == "static":
            for numbers in chosen:
                yield [self.samples[number] for number in numbers]
            return
        together = max(1, self.settings.explore // self.settings.batch)
        for start in range(0, len(chosen), together):
            group = chosen[start : start + together]
            visited = iter(self._explored([number for numbers in group for number in numbers], random))
            for numbers in group:
                yield list(itertools.islice(visited, len(numbers)))

    def _explored(self, numbers: list[int], random: np.random.Generator) -> list[Sample]:
        sentences = [self.train.sentences[number] for number in numbers]
        golds = [strip_root(self.train.trees[number]) for number in numbers]
        return self.exploration.samples(StackLSTMDecoder(self.model), sentences, golds, random)

    def step(self, batch: Batch) -> Tensor:
        """One step of the optimiser; the batch's loss before it. Its gradient is the sum of its sentences'."""
        self.model.train()
        loss = self.loss(batch)
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.parameters, self.settings.clip)
        self.optimiser.step()
        return loss.detach()

    def loss(self, batch: Batch) -> Tensor:
        """The loss of a batch."""
        device = self.model.device
        masks = torch.from_numpy(self.encoder.mask_table()[batch.masks]).to(device)
        return sequence_loss(self.model(batch), masks, torch.from_numpy(batch.targets).to(device))

    def _hide_rare_words(self, words: Ints, random: np.random.Generator) -> None:
        """Let words seen once stand for the unknown, as often as the settings say."""
        column = words[:, 0]
        hidden = self._rare[column] & (random.random(len(column)) < self.settings.unknown)
        column[hidden] = self._unknown[column[hidden]]


def _rare_words(encoder: Encoder) -> tuple[np.ndarray[tuple[int], np.dtype[np.bool_]], Ints]:
    """For each word whether it is rare, and the number of its shape class."""
    words = encoder.words
    rare = np.zeros(len(words), dtype=np.bool_)
    unknown = np.zeros(len(words), dtype=np.int64)
    for word in words.singletons:
        number = words.index[word]
        rare[number] = True
        unknown[number] = words.unknown(word, first=False)
    return rare, unknown
