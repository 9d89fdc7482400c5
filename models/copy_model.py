"""Copy what belongs to a finished model next to its licence and its glossary.

    python copy_model.py ../runs/models/built/id id

The folder then has what `whorl package` needs and nothing else of the run. Files of an earlier
model are removed.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from whorl.model_folder.description import MODEL_JSON
from whorl.parser import model_files


def main() -> None:
    source, target = map(Path, sys.argv[1:])
    copied = model_files(source)
    earlier = model_files(target) if (target / MODEL_JSON).exists() else []
    for name in copied:
        shutil.copyfile(source / name, target / name)
    for name in set(earlier) - set(copied):
        (target / name).unlink()
    size = sum(path.stat().st_size for path in target.iterdir())
    print(f"{target}: {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
