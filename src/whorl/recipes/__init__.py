"""The recipes in the package: commented TOML files for `whorl train` and `whorl pretrain`."""

from __future__ import annotations

from pathlib import Path

from whorl.errors import RecipeError

__all__ = ["base_folder", "find_recipe", "recipe_names"]

_HERE = Path(__file__).parent


def recipe_names() -> list[str]:
    """Return the names of the recipes in the package."""
    return sorted(path.stem for path in _HERE.glob("*.toml"))


def find_recipe(name_or_path: str | Path) -> Path:
    """Return the file of a recipe in the package, or the file at a path; names come first."""
    if isinstance(name_or_path, str) and name_or_path in recipe_names():
        return _HERE / f"{name_or_path}.toml"
    if Path(name_or_path).exists():
        return Path(name_or_path)
    raise RecipeError(
        f"cannot read the recipe {str(name_or_path)!r}: no such file, and the recipes in the "
        f"package are {', '.join(recipe_names())}"
    )


def base_folder(recipe: Path) -> Path:
    """Return the folder that paths in a recipe are relative to.

    It is the working directory for a recipe in the package, else the folder of the file.
    """
    return Path() if recipe.parent == _HERE else recipe.parent
