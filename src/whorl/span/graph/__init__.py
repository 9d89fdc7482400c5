"""The encoder of a span network as an ONNX graph, written operator by operator."""
