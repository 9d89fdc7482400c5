"""A trained network's encoder as an ONNX graph, made of its weights operator by operator."""
