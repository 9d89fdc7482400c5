"""Devices: what cannot be used is an error that says why, also without PyTorch."""

from __future__ import annotations

import sys

import pytest

from whorl.errors import ModelError
from whorl.span.engine import load_engine


@pytest.mark.parametrize(
    ("device", "message"),
    [
        ("tpu", "unknown device 'tpu': use cpu, cuda or cuda:N"),
        ("cuda", "parsing on 'cuda' needs PyTorch: pip install"),
    ],
)
def test_a_device_is_checked_before_anything_imports_pytorch(
    tmp_path, monkeypatch, device, message
):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "whorl.span.torch_backend", raising=False)
    with pytest.raises(ModelError, match=message):
        load_engine(tmp_path, {"runtime": {}}, device, None)
