"""The transformer encoder and its folder, for `span` and `pretraining`."""
