"""Corpora: the vocabulary, the stream of ids, resuming, and rows of pieces."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
tokenizers = pytest.importorskip("tokenizers")
np = pytest.importorskip("numpy")

from tests.toytext import toy_sentences
from whorl.errors import CorpusError, ModelError
from whorl.lexicon.word_pieces import SEP, SPECIAL
from whorl.pretraining import corpus as module
from whorl.pretraining.corpus import prepare_corpus
from whorl.pretraining.recipe import CorpusSettings
from whorl.pretraining.rows import Rows
from whorl.pretraining.vocabulary import alphabet_size, train_tokenizer

SHARED = Path(__file__).parents[3] / "shared/encoders/en-12x512/tokenizer.json"


def quiet(task, done, total):
    pass


@pytest.fixture
def text(tmp_path):
    folder = tmp_path / "text"
    folder.mkdir()
    for number in range(3):
        lines = toy_sentences(100, seed=number)
        (folder / f"{number}.txt").write_text("\n".join(lines), encoding="utf-8")
    return folder


def test_the_stream_is_all_sentences_with_separators_between(tmp_path, text):
    events = []
    corpus = prepare_corpus(
        CorpusSettings(str(text), vocabulary=60),
        tmp_path / "c",
        lambda *event: events.append(event),
    )
    lines = [line for seed in range(3) for line in toy_sentences(100, seed=seed)]
    cut = [index for index, piece in enumerate(corpus.ids) if piece == SEP]
    starts = [0, *(index + 1 for index in cut[:-1])]
    decoded = [
        " ".join(corpus.tokenizer.id_to_token(int(piece)) for piece in corpus.ids[a:b]).replace(
            " ##", ""
        )
        for a, b in zip(starts, cut, strict=True)
    ]
    assert decoded == lines
    assert corpus.summary == {
        "files": 3,
        "sentences": 300,
        "words": 1800,
        "pieces": len(corpus.ids),
    }
    assert corpus.ids.dtype == np.uint16
    assert len(corpus.examples) == 3
    assert {task for task, _, _ in events} == {"vocabulary", "encoding"}
    assert events[-1][1] == events[-1][2]


def test_a_corpus_is_made_once_and_resumed_where_it_was_interrupted(tmp_path, text, monkeypatch):
    data = CorpusSettings(str(text), vocabulary=60)
    whole = prepare_corpus(data, tmp_path / "whole", quiet)
    again = prepare_corpus(
        data,
        tmp_path / "whole",
        lambda task, *_: None if task == "encoding" else pytest.fail(task),
    )
    assert np.array_equal(again.ids, whole.ids)

    encode, calls = module._encode, []

    def dying(path, *args):
        if len(calls) == 1 and path.name == "1.txt":
            (tmp_path / "parts/ids.bin").open("ab").write(b"left over")
            raise KeyboardInterrupt
        calls.append(path.name)
        return encode(path, *args)

    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/tokenizer.json").write_bytes(
        (tmp_path / "whole/tokenizer.json").read_bytes()
    )
    monkeypatch.setattr(module, "_encode", dying)
    with pytest.raises(KeyboardInterrupt):
        prepare_corpus(data, tmp_path / "parts", quiet)
    calls.append("interrupted")
    assert np.array_equal(prepare_corpus(data, tmp_path / "parts", quiet).ids, whole.ids)
    assert calls == ["0.txt", "interrupted", "1.txt", "2.txt"]


def test_a_corpus_of_other_text_or_settings_is_refused(tmp_path, text):
    prepare_corpus(CorpusSettings(str(text), vocabulary=60), tmp_path / "c", quiet)
    with pytest.raises(CorpusError, match="was made with other vocabulary"):
        prepare_corpus(CorpusSettings(str(text), vocabulary=61), tmp_path / "c", quiet)
    (text / "3.txt").write_text("more", encoding="utf-8")
    with pytest.raises(CorpusError, match="was made with other files"):
        prepare_corpus(CorpusSettings(str(text), vocabulary=60), tmp_path / "c", quiet)


def test_a_damaged_corpus_is_an_error(tmp_path, text):
    data = CorpusSettings(str(text), vocabulary=60)
    prepare_corpus(data, tmp_path / "c", quiet)
    stream = tmp_path / "c/ids.bin"
    stream.write_bytes(stream.read_bytes()[:-1])
    with pytest.raises(CorpusError, match=r"ids\.bin is damaged"):
        prepare_corpus(data, tmp_path / "c", quiet)
    (tmp_path / "c/corpus.json").write_text("{}", encoding="utf-8")
    with pytest.raises(CorpusError, match="does not describe a corpus"):
        prepare_corpus(data, tmp_path / "c", quiet)


def test_a_given_tokenizer_is_used(tmp_path, text):
    tokenizer = train_tokenizer(toy_sentences(50), vocabulary=40, alphabet=30)
    tokenizer.save(str(tmp_path / "t.json"))
    corpus = prepare_corpus(
        CorpusSettings(str(text), tokenizer=str(tmp_path / "t.json")), tmp_path / "c", quiet
    )
    assert corpus.tokenizer.get_vocab() == tokenizer.get_vocab()
    with pytest.raises(ModelError, match="is not an encoder folder"):
        prepare_corpus(
            CorpusSettings(str(text), tokenizer=str(tmp_path / "no.json")), tmp_path / "d", quiet
        )


def test_the_tokenizer_is_of_the_same_kind_as_the_english_encoders(tmp_path):
    if not SHARED.exists():
        pytest.skip("the English encoder is not here")
    train_tokenizer(toy_sentences(200), vocabulary=80, alphabet=30).save(str(tmp_path / "t.json"))
    ours, theirs = (
        json.loads(path.read_text(encoding="utf-8")) for path in (tmp_path / "t.json", SHARED)
    )
    for tokenizer in (ours, theirs):
        del tokenizer["model"]["vocab"], tokenizer["model"]["merges"]
    assert ours == theirs


def test_special_pieces_come_first_and_case_is_kept():
    tokenizer = train_tokenizer(["Ab ab AB"] * 9, vocabulary=30, alphabet=10)
    assert [tokenizer.id_to_token(number) for number in range(4)] == list(SPECIAL)
    assert tokenizer.encode("Ab ab AB").tokens == ["Ab", "ab", "AB"]
    assert tokenizer.encode("x").tokens == ["[UNK]"]


def test_the_alphabet_covers_the_text_and_leaves_room_for_words():
    han = "".join(chr(0x4E00 + n) for n in range(5000))
    assert alphabet_size(["plain text"], 20_000) == 300
    assert alphabet_size([han], 20_000) == 4998
    assert alphabet_size([han], 1000) == 500


class TestRows:
    def make(self, size=1000, rows=4, pieces=10, seed=1):
        ids = np.arange(size, dtype=np.uint16)
        return Rows(ids, rows=rows, pieces=pieces, seed=seed, device=torch.device("cpu"))

    def test_a_pass_sees_every_row_once_and_the_next_another_order(self):
        rows = self.make(rows=3)
        assert rows.count == 99
        first, second = (
            torch.cat([rows.batch(step) for step in range(a, a + 33)]) for a in (0, 33)
        )
        for seen in (first, second):
            assert torch.equal(seen, seen[:, :1] + torch.arange(10))
            assert len(set(seen[:, 0].tolist())) == 99
        assert first[:, 0].tolist() != second[:, 0].tolist()

    def test_a_step_depends_on_its_number_alone(self):
        rows = self.make()
        in_order = [rows.batch(step) for step in range(60)]
        assert all(torch.equal(self.make().batch(step), in_order[step]) for step in (0, 24, 25, 59))
        assert not torch.equal(self.make(seed=2).batch(0), in_order[0])

    def test_steps_may_be_larger_than_the_text(self):
        assert self.make(size=25, rows=7).batch(3).shape == (7, 10)

    def test_too_little_text_is_an_error(self):
        with pytest.raises(CorpusError, match="too little text: 9 pieces, but a row has 10"):
            self.make(size=9)

    def test_rows_on_a_gpu_are_those_read_from_disk(self, monkeypatch):
        monkeypatch.setattr(
            Rows, "_copy_to_gpu", lambda _, ids: torch.from_numpy(ids.astype(np.int32))
        )
        on_gpu = self.make()
        monkeypatch.undo()
        assert all(torch.equal(on_gpu.batch(step), self.make().batch(step)) for step in (0, 30))
        assert on_gpu.batch(0).dtype == torch.int64
