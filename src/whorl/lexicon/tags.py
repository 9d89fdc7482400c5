"""The part-of-speech tags that a model knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["Tags"]


class Tags:
    """Part-of-speech tags by number; 0 stands for every tag not seen in training."""

    def __init__(self, tags: Iterable[str]) -> None:
        self.tags = ["<unk>", *dict.fromkeys(tag for tag in tags if tag != "<unk>")]
        self.index = {tag: number for number, tag in enumerate(self.tags)}

    def __len__(self) -> int:
        return len(self.tags)

    def encode(self, tags: Sequence[str]) -> list[int]:
        """Return the numbers of the tags."""
        return [self.index.get(tag, 0) for tag in tags]
