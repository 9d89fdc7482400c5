"""A parser for worker processes in which some words are deadly."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable
from pathlib import Path

from whorl.parser import Parser

POISON, FAULTY, SLOW = "poison", "faulty", "slow"


class DeadlyParser:
    """Kills its process at the word "poison", and raises an error at "faulty"."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self.tokeniser = parser.tokeniser

    def pipe(self, inputs: Iterable, **options: object) -> Iterable:
        inputs = list(inputs)
        words = {word for words, _ in inputs for word in words}
        if POISON in words:
            os.kill(os.getpid(), signal.SIGKILL)
        if FAULTY in words:
            raise MemoryError("not enough memory to parse a sentence of 9,999 words")
        if SLOW in words:
            time.sleep(0.3)
        return self._parser.pipe(inputs, **options)


def load_deadly(folder: Path, worker: int) -> DeadlyParser:
    return DeadlyParser(Parser.load(folder))


def die_at_once(worker: int) -> DeadlyParser:
    os._exit(3)
