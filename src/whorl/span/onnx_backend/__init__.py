"""An exported span model in ONNX Runtime and NumPy, without PyTorch."""
