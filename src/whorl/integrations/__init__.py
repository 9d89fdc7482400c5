"""Whorl inside other libraries."""
