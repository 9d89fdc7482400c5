"""Pretraining: an encoder from raw text."""
