"""Trained networks ready to parse, each behind the interface that `whorl.parser` asks for."""
