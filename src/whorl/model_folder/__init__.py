"""The common parts of model folders: the description, content-addressed files, tensors."""
