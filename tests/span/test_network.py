"""Scores are the same for whole derivations and step by step, for one sentence and many."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tests.parsers import GOLD
from tests.spans import make_learner
from whorl.span.decoding.greedy import Selection, decode_greedy, decode_with_policy
from whorl.span.learner import span_loss
from whorl.span.parsing import build_tree
from whorl.span.samples import collate_inputs, collate_samples
from whorl.span.scores import log_probabilities, mask_illegal
from whorl.span.torch_backend import TorchBackend, TorchScorer
from whorl.training.loop import Trainer
from whorl.training.recipe import TrainingSettings


@pytest.fixture
def learner(tmp_path):
    return make_learner(tmp_path)[0]


def score_samples(learner, samples):
    """Return log-probabilities of all outputs of all candidates, all states at once."""
    batch = collate_samples(samples, max_unary=learner.model.config.max_unary)
    with torch.no_grad():
        scores = learner.model.eval()(batch).candidates.numpy()
    return log_probabilities(mask_illegal(scores, batch.candidates), batch.candidates), batch


def max_difference(some, others):
    assert np.array_equal(np.isinf(some), np.isinf(others))
    finite = ~np.isinf(some)
    return np.abs(some[finite] - others[finite]).max()


@pytest.mark.parametrize("in_numpy", [True, False])
def test_scores_step_by_step_equal_those_of_whole_derivations(learner, in_numpy):
    samples = learner.samples
    inputs = collate_inputs([sample.sentence for sample in samples])
    scorer, _ = TorchBackend(learner.model).encode(inputs)
    if not in_numpy:
        with torch.no_grad():
            scorer = TorchScorer([(learner.model, learner.model.tables(inputs))])
    seen = [[] for _ in samples]

    def follow_gold(states, candidates, scores):
        logs = log_probabilities(scores, candidates)
        rows, outputs = [], []
        for state, sentence in enumerate(states.sentence.tolist()):
            arity, label = samples[sentence].targets[len(seen[sentence])]
            seen[sentence].append(logs[candidates.state == state])
            rows.append(candidates.starts[state] + arity)
            outputs.append(label)
        return Selection(np.array(rows), np.array(outputs))

    derivations = decode_with_policy(scorer, inputs, follow_gold, max_unary=8)
    stepwise = np.concatenate([rows for sentence in seen for rows in sentence])
    whole, batch = score_samples(learner, samples)
    assert max_difference(stepwise, whole) < 1e-4
    assert -sum(derivation.score for derivation in derivations) == pytest.approx(
        -whole[batch.rows, batch.outputs].sum(), abs=1e-3
    )
    for derivation, tree in zip(derivations, GOLD, strict=True):
        assert build_tree(tree.leaves(), derivation.steps, learner.vocabulary.labels) == tree


def test_the_loss_is_that_of_gold_transitions_and_tags(learner):
    whole, batch = score_samples(learner, learner.samples)
    expected = -whole[batch.rows, batch.outputs].sum()
    with torch.no_grad():
        without, single, double = (
            span_loss(learner.model, batch, tag_weight=w).item() for w in (0, 1, 2)
        )
    assert without == pytest.approx(expected, rel=1e-4)
    assert double - single == pytest.approx(single - without, rel=1e-4)
    assert single > without


def test_a_sentence_gets_the_same_scores_in_any_batch(learner):
    together, _ = score_samples(learner, learner.samples)
    apart = np.concatenate([score_samples(learner, [sample])[0] for sample in learner.samples])
    assert max_difference(together, apart) < 1e-4


def test_the_gradient_of_a_batch_is_the_sum_of_its_sentences(learner):
    trainer = Trainer(learner, TrainingSettings())

    def gradients(samples):
        for parameter in trainer.parameters:
            parameter.grad = torch.zeros_like(parameter)
        learner.loss(collate_samples(samples, max_unary=8)).backward()
        return [parameter.grad for parameter in trainer.parameters]

    together = gradients(learner.samples)
    apart = [gradients([sample]) for sample in learner.samples]
    for number, gradient in enumerate(together):
        assert torch.allclose(gradient, sum(gradients[number] for gradients in apart), atol=1e-3)


def test_all_inputs_are_moved_to_the_networks_device(learner, monkeypatch):
    # The meta device rejects tensors left on the CPU, as a GPU does; autocast does not know it.
    monkeypatch.setattr(torch, "autocast", lambda *_, **__: nullcontext())
    model = learner.model.to("meta")
    batch = learner.batch(learner.samples, np.random.default_rng(1))
    span_loss(model, batch, tag_weight=1.0).backward()
    assert all(weight.grad is not None for weight in model.parameters() if weight.requires_grad)
    tables, candidates = model.tables(batch.inputs), model.send(batch.candidates)
    best = model.best(model.score(tables.left, tables.right, candidates), candidates)
    assert best.shape == (3, batch.steps)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_the_gpu_gives_what_the_cpu_gives(learner):
    on_cpu, batch = score_samples(learner, learner.samples)
    learner.model.cuda()
    with torch.no_grad():
        scores = learner.model(batch).candidates.cpu().numpy()
    assert (
        max_difference(
            log_probabilities(mask_illegal(scores, batch.candidates), batch.candidates), on_cpu
        )
        < 1e-3
    )


def test_greedy_decoding_is_the_same_in_pytorch_and_numpy(learner):
    inputs = collate_inputs([sample.sentence for sample in learner.samples])
    in_numpy, _ = TorchBackend(learner.model).encode(inputs)
    with torch.no_grad():
        in_torch = TorchScorer([(learner.model, learner.model.tables(inputs))])
    some, others = (decode_greedy(scorer, inputs, max_unary=8) for scorer in (in_numpy, in_torch))
    assert [derivation.steps for derivation in some] == [derivation.steps for derivation in others]
    assert [derivation.score for derivation in some] == pytest.approx(
        [derivation.score for derivation in others], abs=1e-3
    )
