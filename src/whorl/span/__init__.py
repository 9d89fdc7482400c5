"""The span network: an encoder runs once per sentence, then every transition gets a light score.

Where to look:

| module | topic |
| --- | --- |
| `vocabulary`, `samples` | words and labels as numbers; training samples and batches as arrays |
| `candidates`, `states` | the non-binary transition system for a whole batch, as arrays |
| `network`, `encoders/` | the PyTorch network |
| `scores`, `numpy_scorer` | scores of candidates: masks and probabilities; the scorer in NumPy |
| `decoding/` | from scores to derivations: greedy, one sentence at a time, beam |
| `parsing` | from words to trees, with any backend |
| `torch_backend`, `onnx_backend/` | what runs the encoder when parsing |
| `graph/`, `export`, `restore` | the network as an ONNX graph, and back |
| `folder`, `engine` | the model folder; the engine that a parser uses |
| `setup`, `learner`, `exploration` | training: recipe to learner, the loss, the dynamic oracle |
"""
