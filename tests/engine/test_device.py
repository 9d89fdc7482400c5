"""Devices: what cannot be used is an error that says why, also without PyTorch."""

from __future__ import annotations

import subprocess
import sys

import pytest

from whorl.engine.device import check_device, has_fast_bfloat16
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


@pytest.mark.parametrize(
    ("capabilities", "fast"),
    [({"avx512_bf16": True}, True), ({"amx_bf16": True}, True), ({"avx512_f": True}, False)],
)
def test_a_processor_is_fast_at_bfloat16_only_with_units_for_it(capabilities, fast, monkeypatch):
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: capabilities, raising=False)
    assert has_fast_bfloat16(torch.device("cpu")) == fast


def test_a_pytorch_that_does_not_say_what_the_processor_has_uses_float32(monkeypatch):
    torch = pytest.importorskip("torch")
    monkeypatch.delattr(torch.cpu, "get_capabilities", raising=False)
    assert not has_fast_bfloat16(torch.device("cpu"))


@pytest.mark.parametrize(
    ("capability", "hip", "fast"),
    [((9, 0), None, True), ((8, 0), None, True), ((7, 5), None, False), ((7, 0), "6.4", True)],
)
def test_a_gpu_is_fast_at_bfloat16_unless_it_emulates_it(capability, hip, fast, monkeypatch):
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch.version, "hip", hip)
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda _device: capability)
    assert has_fast_bfloat16(torch.device("cuda:1")) == fast


def test_other_devices_use_float32():
    torch = pytest.importorskip("torch")
    assert not has_fast_bfloat16(torch.device("mps"))
