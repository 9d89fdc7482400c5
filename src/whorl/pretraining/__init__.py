"""Pretraining of encoders from raw text.

| module | topic |
| --- | --- |
| `recipe` | settings |
| `text`, `vocabulary`, `corpus` | from files to sentences, to word pieces, to a stream of ids |
| `rows` | batches of the stream |
| `electra`, `distillation`, `schedule`, `loop` | losses, learning rates, steps |
| `start` | encoders that a run starts from or learns from |
| `checkpoint`, `card`, `run` | interrupted runs, the encoder folder, a whole run |
"""
