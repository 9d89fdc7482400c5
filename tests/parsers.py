"""Small parsers, untrained or trained on a handful of trees, for tests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from whorl.lexicon.vectors import Vectors
from whorl.oracles import static_oracle
from whorl.stack_lstm.batches import Sample
from whorl.stack_lstm.network import StackLSTM, StackLSTMConfig
from whorl.stack_lstm.vocabulary import StackLSTMVocabulary
from whorl.transitions import Inventory, Transition, make_system
from whorl.trees import COLLINS, Leaf, Tree, read_trees

SYSTEM_NAMES = ("nonbinary", "binary", "topdown", "inorder")

TEXT = """
(S (NP (DT The) (JJ public)) (VP (VBZ is) (ADVP (RB still)) (ADJP (JJ cautious))) (. .))
(S (NP (PRP It)) (VP (VBZ works)))
(NP (NP (DT a) (NN tree)) (PP (IN of) \
(NP (NP (CD two) (NNS words)) (CC or) (NP (QP (RBR more) (IN than) (CD two))))))
(S (VP (VB Look)) (. !))
(FRAG (NP (NN Rain)))
(S (S (NP (NNS Dogs)) (VP (VBP bark))) (, ,) (CC and) \
(S (NP (NNS cats)) (VP (VBP sleep) (ADVP (RB well)))) (. .))
"""
GOLD = read_trees(TEXT)


@dataclass
class SmallParser:
    """An untrained parser with the treebank it was built from."""

    trees: list[Tree]
    sentences: list[list[Leaf]]
    sequences: list[list[Transition]]
    vocabulary: StackLSTMVocabulary
    samples: list[Sample]
    model: StackLSTM


def make_parser(
    system: str,
    *,
    dropout: float = 0.2,
    seed: int = 1,
    layers: int = 2,
    input_dim: int = 16,
    hidden_dim: int = 16,
) -> SmallParser:
    """An untrained parser over the small treebank, with word vectors for some of the words."""
    sequences = [static_oracle(tree, system, heads=COLLINS) for tree in GOLD]
    inventory = Inventory.of(make_system(system), sequences)
    table = np.random.default_rng(seed).standard_normal((4, 5)).astype(np.float32)
    table[0] = 0
    sentences = [tree.leaves() for tree in GOLD]
    vocabulary = StackLSTMVocabulary.of(
        sentences, sequences, inventory, Vectors(["the", "public", "tree"], table)
    )
    samples = [
        vocabulary.sample(leaves, sequence)
        for leaves, sequence in zip(sentences, sequences, strict=True)
    ]
    torch.manual_seed(seed)
    model = StackLSTM(
        StackLSTMConfig(
            words=len(vocabulary.words),
            tags=len(vocabulary.tags),
            symbols=len(vocabulary.symbols),
            transitions=len(inventory),
            vectors=4,
            vector_dim=5,
            word_dim=8,
            tag_dim=4,
            transition_dim=6,
            input_dim=input_dim,
            hidden_dim=hidden_dim,
            layers=layers,
            dropout=dropout,
        )
    )
    model.set_vectors(table)
    return SmallParser(list(GOLD), sentences, sequences, vocabulary, samples, model)
