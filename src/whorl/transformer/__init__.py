"""The transformer encoder and its folder, used by `span` and `pretraining`."""
