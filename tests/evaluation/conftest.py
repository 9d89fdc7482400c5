from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def evalb_files() -> Path:
    folder = Path(__file__).resolve().parents[2].parent / "shared" / "evalb"
    if not folder.is_dir():
        pytest.skip("the reference files of EVALB are not here")
    return folder
