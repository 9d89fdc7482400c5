"""The span network gives the same numbers for whole sequences or step by step, for one sentence or many."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tests.parsers import GOLD
from tests.spans import make_learner
from whorl.span.decoding import build
from whorl.span.greedy import Choice, decode_greedy
from whorl.span.learner import span_loss
from whorl.span.samples import collate_inputs, collate_spans
from whorl.span.scores import log_probabilities, masked
from whorl.span.torch_backend import DeviceScorer, NetworkReader
from whorl.training.loop import Trainer
from whorl.training.recipe import TrainingSettings


@pytest.fixture
def learner(tmp_path):
    return make_learner(tmp_path)[0]


def of_whole_sequences(learner, samples):
    """The log-probabilities of all outputs of all candidates, for all states of some samples at once."""
    batch = collate_spans(samples, max_unary=learner.model.config.max_unary)
    with torch.no_grad():
        scores = learner.model.eval()(batch).candidates.numpy()
    return log_probabilities(masked(scores, batch.candidates), batch.candidates), batch


def differ(some, others):
    assert np.array_equal(np.isinf(some), np.isinf(others))
    finite = ~np.isinf(some)
    return np.abs(some[finite] - others[finite]).max()


@pytest.mark.parametrize("in_numpy", [True, False])
def test_step_by_step_equals_whole_sequences(learner, in_numpy):
    samples = learner.samples
    inputs = collate_inputs([sample.sentence for sample in samples])
    scorer, _ = NetworkReader(learner.model).read(inputs)
    if not in_numpy:
        with torch.no_grad():
            scorer = DeviceScorer([(learner.model, learner.model.tables(inputs))])
    seen = [[] for _ in samples]

    def follow_gold(states, candidates, scores):
        found = log_probabilities(scores, candidates)
        rows, outputs = [], []
        for state, sentence in enumerate(states.sentence.tolist()):
            taken, label = samples[sentence].targets[len(seen[sentence])]
            seen[sentence].append(found[candidates.state == state])
            rows.append(candidates.starts[state] + taken)
            outputs.append(label)
        return Choice(np.array(rows), np.array(outputs))

    followed = decode_greedy(scorer, inputs, max_unary=8, choose=follow_gold)
    stepwise = np.concatenate([rows for sentence in seen for rows in sentence])
    whole, batch = of_whole_sequences(learner, samples)
    assert differ(stepwise, whole) < 1e-4
    assert -sum(one.score for one in followed) == pytest.approx(
        -whole[batch.rows, batch.outputs].sum(), abs=1e-3
    )
    for one, tree in zip(followed, GOLD, strict=True):
        assert build(tree.leaves(), one.steps, learner.encoder.labels) == tree


def test_the_loss_is_that_of_the_gold_transitions_and_of_the_tags(learner):
    whole, batch = of_whole_sequences(learner, learner.samples)
    expected = -whole[batch.rows, batch.outputs].sum()
    with torch.no_grad():
        without, single, double = (
            span_loss(learner.model, batch, tag_weight=w).item() for w in (0, 1, 2)
        )
    assert without == pytest.approx(expected, rel=1e-4)
    assert double - single == pytest.approx(single - without, rel=1e-4)
    assert single > without


def test_the_scores_of_a_batch_are_those_of_its_sentences(learner):
    together, _ = of_whole_sequences(learner, learner.samples)
    apart = np.concatenate([of_whole_sequences(learner, [sample])[0] for sample in learner.samples])
    assert differ(together, apart) < 1e-4


def test_the_gradient_of_a_batch_is_the_sum_of_its_sentences(learner):
    trainer = Trainer(learner, TrainingSettings())

    def gradients(samples):
        for parameter in trainer.parameters:
            parameter.grad = torch.zeros_like(parameter)
        learner.loss(collate_spans(samples, max_unary=8)).backward()
        return [parameter.grad for parameter in trainer.parameters]

    together = gradients(learner.samples)
    apart = [gradients([sample]) for sample in learner.samples]
    for number, gradient in enumerate(together):
        assert torch.allclose(gradient, sum(one[number] for one in apart), atol=1e-3)


def test_all_that_is_learnt_from_goes_where_the_network_is(learner, monkeypatch):
    monkeypatch.setattr(
        torch, "autocast", lambda *_, **__: nullcontext()
    )  # it knows no such device
    model = learner.model.to("meta")  # what is left on the CPU is an error there, as it is on a GPU
    batch = learner.batch(learner.samples, np.random.default_rng(1))
    span_loss(model, batch, tag_weight=1.0).backward()
    assert all(weight.grad is not None for weight in model.parameters() if weight.requires_grad)
    tables, candidates = model.tables(batch.inputs), model.send(batch.candidates)
    best = model.best(model.score(tables.left, tables.right, candidates), candidates)
    assert best.shape == (3, batch.steps)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_the_gpu_gives_what_the_cpu_gives(learner):
    on_cpu, batch = of_whole_sequences(learner, learner.samples)
    learner.model.cuda()
    with torch.no_grad():
        scores = learner.model(batch).candidates.cpu().numpy()
    assert (
        differ(log_probabilities(masked(scores, batch.candidates), batch.candidates), on_cpu) < 1e-3
    )


def test_the_best_is_the_same_where_the_network_is_and_in_numpy(learner):
    inputs = collate_inputs([sample.sentence for sample in learner.samples])
    in_numpy, _ = NetworkReader(learner.model).read(inputs)
    with torch.no_grad():
        there = DeviceScorer([(learner.model, learner.model.tables(inputs))])
    one, other = (decode_greedy(scorer, inputs, max_unary=8) for scorer in (in_numpy, there))
    assert [found.steps for found in one] == [found.steps for found in other]
    assert [found.score for found in one] == pytest.approx(
        [found.score for found in other], abs=1e-3
    )
