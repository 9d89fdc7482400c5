"""The network of the paper (§6): stack-LSTMs over any transition system.

| module | topic |
| --- | --- |
| `settings` | the sizes of Table 1, the section `[model]` of a recipe |
| `vocabulary` | numbers for words, tags, vectors, labels and transitions |
| `trace`, `batches` | what a sequence of transitions does to the stack; many of them as arrays |
| `network` | the network over whole sequences, for training: words (§6.1), phrases (§6.2) |
| `forest_lstm` | LSTMs over trees of stack states, with gradients |
| `batch_network`, `lstm_group`, `stacks` | the network step by step, for a batch, in PyTorch |
| `numpy_network` | the network step by step, for one sentence, in NumPy |
| `decoding`, `single_sentence` | greedy and beam decoding of a batch; greedy decoding of one |
| `exploration` | training with the dynamic oracle (§7.2) |
| `tagger`, `tagger_network`, `tagger_training`, `jackknife` | predicted tags (§6, §7.1) |
| `learner`, `setup` | how the network trains; from a recipe to a learner |
| `description`, `folder`, `engine` | `model.json`, the model folder, the parsing engine |
"""
