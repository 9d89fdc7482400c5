"""The part-of-speech tags that a model knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["Tags"]


class Tags:
    """Numbers for part-of-speech tags; 0 stands for every tag unseen in training."""

    def __init__(self, tags: Iterable[str]) -> None:
        self.tags = ["<unk>", *dict.fromkeys(tag for tag in tags if tag != "<unk>")]
        self.index = {tag: number for number, tag in enumerate(self.tags)}

    def __len__(self) -> int:
        return len(self.tags)

    def encode(self, tags: Sequence[str]) -> list[int]:
        """The numbers of the tags."""
        return [self.index.get(tag, 0) for tag in tags]
