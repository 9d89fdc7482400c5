"""Pretraining of an encoder on raw text, by replaced-token detection."""
