"""Devices: what cannot be used is an error that says why, also without PyTorch."""

from __future__ import annotations

import subprocess
import sys

import pytest

from whorl.engine.device import check_device
from whorl.errors import ModelError

LOAD_WITHOUT_PYTORCH = """
import sys
sys.modules["torch"] = None
import whorl
whorl.load(device=sys.argv[1])
"""


@pytest.mark.parametrize("device", ["tpu", "cuda:", "cuda:one", "gpu", ""])
def test_an_unknown_device_is_named_before_anything_else(device, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ModelError, match=f"^unknown device '{device}': use cpu, cuda or cuda:N$"):
        check_device(device)


@pytest.mark.parametrize("device", ["cuda", "cuda:1"])
def test_a_known_device_without_pytorch_says_what_to_install(device, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ModelError, match="needs PyTorch, which is not installed: pip install 'who"):
        check_device(device)


@pytest.mark.parametrize("device", ["cuda", "cuda:99"])
def test_a_missing_gpu_is_the_reason_given(device):
    torch = pytest.importorskip("torch")
    if device == "cuda" and torch.cuda.is_available():
        pytest.skip("there is a GPU here")
    with pytest.raises(ModelError, match=rf"^PyTorch cannot use the device '{device}': it finds"):
        check_device(device)


def test_pytorch_can_use_the_cpu():
    pytest.importorskip("torch")
    check_device("cpu")


@pytest.mark.parametrize(
    ("device", "message"),
    [
        ("tpu", "unknown device 'tpu'"),
        ("cuda", "the device 'cuda' needs PyTorch, which is not installed"),
    ],
)
def test_loading_the_default_model_says_what_is_wrong_with_the_device(device, message):
    done = subprocess.run(
        [sys.executable, "-c", LOAD_WITHOUT_PYTORCH, device],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr.splitlines()[-1].startswith(f"whorl.errors.ModelError: {message}")
