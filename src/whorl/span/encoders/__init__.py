"""The encoders of the span network: word features, word pieces, and context encoders over them.

To add a context encoder, write a module here with a subclass of
`whorl.span.encoders.context.ContextEncoder` and add an entry to `CONTEXTS` in `registry.py`. The
recipe key `span.context` then accepts its name.
"""
