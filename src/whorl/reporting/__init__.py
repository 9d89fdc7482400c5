"""Charts, tables and timing, for every part that reports figures."""
