"""The models in the package: the folders beside this file, each named after its model."""

from __future__ import annotations

from pathlib import Path

__all__ = ["SHIPPED"]

SHIPPED = Path(__file__).parent
