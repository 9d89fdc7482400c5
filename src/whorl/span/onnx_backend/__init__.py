"""The ONNX Runtime backend: exported models in ONNX Runtime and NumPy, without PyTorch."""
