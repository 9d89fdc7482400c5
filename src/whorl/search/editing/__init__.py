"""Editing trees where a pattern matches: the operations of Tsurgeon, over Whorl's trees."""

from whorl.search.editing.edit import Edit, compile_edit
from whorl.search.editing.script import EditScript

__all__ = ["Edit", "EditScript", "compile_edit"]
