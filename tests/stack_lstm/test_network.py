"""The network computes the same, at once or step by step, for one sentence or many."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from tests.parsers import GOLD, SYSTEM_NAMES, make_parser
from whorl.stack_lstm.batch_network import BatchedStackLSTM
from whorl.stack_lstm.batches import collate
from whorl.stack_lstm.decoding import decode
from whorl.stack_lstm.learner import StackLSTMLearner, sequence_loss
from whorl.training.learner import Treebank
from whorl.training.loop import Trainer
from whorl.training.recipe import TrainingSettings


def legal_log_probabilities(parser, numbers):
    """Of every step of gold sequences, computed for whole sequences."""
    batch = collate([parser.samples[number] for number in numbers])
    masks = torch.from_numpy(parser.vocabulary.mask_table()[batch.masks])
    with torch.no_grad():
        return parser.model.eval()(batch).masked_fill(~masks, -torch.inf).log_softmax(dim=1)


def stepwise_log_probabilities(parser, numbers):
    """The same, computed step by step."""
    seen = {place: [] for place in range(len(numbers))}

    def choose(place, state, scores):
        row = seen[place]
        row.append(torch.from_numpy(scores.copy()))
        return parser.vocabulary.inventory.index[parser.sequences[numbers[place]][len(row) - 1]]

    sentences = [parser.sentences[number] for number in numbers]
    decoded = decode(BatchedStackLSTM(parser.model), parser.vocabulary, sentences, choose=choose)
    return torch.cat([torch.stack(seen[place]) for place in range(len(numbers))]), decoded


def differ(some, others):
    """The greatest difference; minus infinity stands in the same places."""
    assert torch.equal(some.isinf(), others.isinf())
    return (some - others)[~some.isinf()].abs().max().item()


@pytest.mark.parametrize("sizes", [(16, 16), (8, 20), (20, 8)])
@pytest.mark.parametrize("system", SYSTEM_NAMES)
def test_step_by_step_equals_whole_sequences(system, sizes):
    parser = make_parser(system, input_dim=sizes[0], hidden_dim=sizes[1])
    numbers = list(range(len(GOLD)))
    stepwise, decoded = stepwise_log_probabilities(parser, numbers)
    assert [done.tree for done in decoded] == parser.trees
    assert differ(stepwise, legal_log_probabilities(parser, numbers)) < 1e-5


@pytest.mark.parametrize("system", SYSTEM_NAMES)
def test_the_scores_of_a_batch_are_those_of_its_sentences(system):
    parser = make_parser(system)
    together = legal_log_probabilities(parser, list(range(len(GOLD))))
    apart = torch.cat([legal_log_probabilities(parser, [number]) for number in range(len(GOLD))])
    assert differ(together, apart) < 1e-5


@pytest.mark.parametrize("system", SYSTEM_NAMES)
def test_the_gradient_of_a_batch_is_the_sum_of_its_sentences(system):
    parser = make_parser(system, dropout=0.0)
    treebank = Treebank(parser.trees, parser.sentences)
    learner = StackLSTMLearner(
        parser.model, parser.vocabulary, TrainingSettings(), treebank, parser.samples
    )
    trainer = Trainer(learner, TrainingSettings())

    def gradients(samples):
        for parameter in trainer.parameters:  # some are no part of some systems or sentences
            parameter.grad = torch.zeros_like(parameter)
        learner.loss(collate(samples)).backward()
        return [parameter.grad for parameter in trainer.parameters]

    together = gradients(parser.samples)
    apart = [gradients([sample]) for sample in parser.samples]
    for number, gradient in enumerate(together):
        assert torch.allclose(gradient, sum(one[number] for one in apart), atol=1e-4)


@pytest.mark.parametrize("system", SYSTEM_NAMES)
def test_training_data_moves_to_the_device_of_the_network(system):
    parser = make_parser(system)
    model = parser.model.to("meta")  # what is left on the CPU is an error there, as it is on a GPU
    scores = model(collate(parser.samples))
    scores.sum().backward()
    assert scores.device.type == "meta"
    assert model.out.weight.grad is not None


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
@pytest.mark.parametrize("system", SYSTEM_NAMES)
def test_the_gpu_gives_what_the_cpu_gives(system):
    parser = make_parser(system)
    on_cpu = legal_log_probabilities(parser, [0, 1, 2])
    parser.model.cuda()
    stepwise, _ = stepwise_log_probabilities(parser, [0, 1, 2])
    assert differ(stepwise, on_cpu) < 1e-4


def test_the_loss_is_that_of_any_target_and_leaves_unknown_ones_out():
    scores = torch.tensor([[1.0, 2.0, 3.0], [0.5, 0.5, 9.0], [1.0, 1.0, 1.0]])
    masks = torch.tensor([[True, True, True], [True, True, False], [True, True, True]])
    targets = torch.tensor([[0, 2], [1, -1], [-1, -1]])
    first = -torch.log(torch.softmax(scores[0], dim=0)[[0, 2]].sum())
    second = -torch.log(torch.tensor(0.5))  # the third transition is not legal there
    assert torch.isclose(sequence_loss(scores, masks, targets), first + second)
