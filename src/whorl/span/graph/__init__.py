"""The span network as an ONNX graph, written operator by operator from its weights."""
