"""Whorl inside other libraries; each is public as `whorl.NAME`."""
