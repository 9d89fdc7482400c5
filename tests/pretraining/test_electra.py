"""Replaced-token detection: masking, sampling, and which weights each loss moves."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tokenizers")

from whorl.lexicon.word_pieces import MASK, SEP
from whorl.pretraining.electra import Electra, choose_masked
from whorl.transformer.network import TransformerConfig

ENCODER = TransformerConfig(vocabulary=30, layers=2, width=16, heads=2, feed_forward=32)
GENERATOR = TransformerConfig(vocabulary=30, layers=1, width=8, heads=1, feed_forward=16)


def generator(seed=1):
    return torch.Generator().manual_seed(seed)


@pytest.fixture
def model():
    torch.manual_seed(1)
    return Electra(ENCODER, GENERATOR)


@pytest.fixture
def ids():
    return torch.randint(4, 30, (6, 40), generator=generator())


def test_as_many_positions_are_masked_in_every_row_and_no_separators(ids):
    ids[:, ::5] = SEP
    chosen = choose_masked(ids, 0.15, generator())
    assert chosen.shape == (6, 6)
    assert all(len(set(row)) == 6 for row in chosen.tolist())
    assert not (ids.gather(1, chosen) == SEP).any()
    assert choose_masked(torch.full((1, 10), SEP), 0.3, generator()).shape == (1, 3)


def test_every_position_is_masked_about_as_often():
    ids = torch.full((4000, 20), 5)
    counts = torch.bincount(choose_masked(ids, 0.25, generator()).flatten(), minlength=20)
    assert counts.min() > 850
    assert counts.max() < 1150


def test_the_generator_does_not_see_what_it_fills(model, ids, monkeypatch):
    seen = []
    fill = model._fill
    monkeypatch.setattr(
        model, "_fill", lambda masked, *rest: seen.append(masked) or fill(masked, *rest)
    )
    model(ids, 0.15, generator())
    chosen = choose_masked(ids, 0.15, generator())
    assert (seen[0].gather(1, chosen) == MASK).all()
    assert int((seen[0] != ids).sum()) == chosen.numel()


def test_samples_follow_the_generators_distribution(model):
    rows = 20_000
    ids, chosen = torch.full((rows, 2), 5), torch.zeros(rows, 1, dtype=torch.long)
    with torch.no_grad():
        model.generator.bias[7] = 3.0
        noise = torch.rand((rows, 1, 30), generator=generator())
        _, sampled = model._sample_fillings(ids, chosen, ids[:, :1], noise)
        scores = model.generator(ids[:1], chosen[:1], model.encoder.emb.weight)
    shares = torch.bincount(sampled.flatten(), minlength=30) / rows
    torch.testing.assert_close(shares, scores.softmax(-1).flatten(), atol=0.015, rtol=0)


def test_the_same_randomness_gives_the_same_losses(model, ids):
    first, same, other = (model(ids, 0.15, generator(seed)) for seed in (1, 1, 2))
    assert first.generator == same.generator
    assert first.detection == same.detection
    assert first.generator != other.generator


def test_losses_begin_at_chance(model, ids):
    losses = model(ids, 0.15, generator())
    assert float(losses.generator.detach()) == pytest.approx(
        torch.log(torch.tensor(30.0)).item(), abs=0.3
    )
    assert float(losses.detection.detach()) == pytest.approx(0.69, abs=0.1)


def test_detection_moves_the_encoder_and_the_embedding_but_not_the_generator(model, ids):
    model(ids, 0.15, generator()).detection.backward()
    assert all(parameter.grad is None for parameter in model.generator.parameters())
    assert all(parameter.grad is not None for parameter in model.encoder.parameters())
    model.zero_grad()
    model(ids, 0.15, generator()).generator.backward()
    moved = {
        name for name, parameter in model.encoder.named_parameters() if parameter.grad is not None
    }
    assert moved == {"emb.weight"}
