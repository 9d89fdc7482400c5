"""Pretraining of encoders from raw text.

| module | topic |
| --- | --- |
| `recipe` | settings |
| `text`, `vocabulary`, `corpus` | from files to sentences, to word pieces, to a stream of ids |
| `rows` | batches of the stream |
| `electra`, `schedule`, `loop` | losses, learning rates, steps |
| `checkpoint`, `card`, `run` | interrupted runs, the encoder folder, a whole run |
"""
