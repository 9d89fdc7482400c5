"""The built wheel and sdist: what they contain, and the README's commands with the wheel installed.

`WHORL_DIST` may name a folder with a wheel and an sdist that were built before.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from packaging.version import Version

import whorl
from tests.tiny import TINY

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TOY = (ROOT / "examples/toy.txt").read_text(encoding="utf-8")
SMALL = "--epochs 2 --set span.lstm_dim=16 --set span.lstm_layers=1 --set span.character_dim=8"


def code_blocks(language, after):
    """The code blocks of one language in one section of the README."""
    section = README.split(f"## {after}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(rf"^```{language}\n(.*?)^```", section, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    if "WHORL_DIST" in os.environ:
        return Path(os.environ["WHORL_DIST"]).resolve()
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def wheel(dist):
    (path,) = dist.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def wheel_files(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def sdist_files(dist):
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        return {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}


@pytest.fixture(scope="module")
def installed(tmp_path_factory, wheel):
    """A new environment with the wheel; its dependencies come from the running environment."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / ("python.exe" if os.name == "nt" else "python")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q"]
    subprocess.run([*pip, "--no-deps", "--no-index", str(wheel)], check=True)
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = Path(subprocess.check_output([python, "-c", ask], text=True).strip())
    # Path files of these folders, such as that of an editable Whorl, have no effect from here.
    folders = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    (site / "dependencies.pth").write_text("\n".join(folders) + "\n", encoding="utf-8")
    return scripts


@pytest.fixture
def run(installed, tmp_path):
    environment = {key: os.environ[key] for key in os.environ if key != "PYTHONPATH"}
    environment["PATH"] = f"{installed}{os.pathsep}{os.environ['PATH']}"
    environment["PYTHONUTF8"] = "1"

    def command(*arguments):
        options = {"cwd": tmp_path, "env": environment, "capture_output": True, "encoding": "utf-8"}
        result = subprocess.run(arguments, check=False, **options)
        assert result.returncode == 0, result.stderr
        return result.stdout

    return command


@pytest.fixture
def shell(run):
    if os.name == "nt" or not shutil.which("bash"):
        pytest.skip("needs bash")
    return lambda script: run("bash", "-euo", "pipefail", "-c", script)


def test_the_wheel_has_everything_the_package_reads(wheel_files):
    package = Path(whorl.__file__).parent
    for pattern in (
        "recipes/*.toml",
        "shipped/*/*",
        "bench/sample.txt",
        "packaging/spdx.txt",
        "py.typed",
        "**/*.py",
    ):
        files = {f"whorl/{path.relative_to(package).as_posix()}" for path in package.glob(pattern)}
        assert files
        assert files <= wheel_files


def test_the_wheel_has_nothing_else(wheel_files):
    folders = {name.split("/", 1)[0] for name in wheel_files}
    assert folders == {"whorl", f"whorl-{whorl.__version__}.dist-info"}
    assert not [name for name in wheel_files if "__pycache__" in name or name.endswith(".partial")]


def test_the_sdist_has_all_that_the_readme_links_to(sdist_files):
    links = [link for link in re.findall(r"\]\(([^)#]+)", README) if "://" not in link]
    assert len(links) > 15
    assert set(links) <= sdist_files


def test_the_sdist_has_what_its_tests_need(sdist_files):
    assert {"pyproject.toml", ".ci/check", "examples/toy.txt", "tests/test_wheel.py"} <= sdist_files
    assert {"src/whorl/recipes/span-bilstm.toml", "tools/mutate.py"} <= sdist_files


def test_the_version_is_that_of_the_changelog_and_the_citation(wheel):
    version = whorl.__version__
    assert wheel.name == f"whorl-{version}-py3-none-any.whl"
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.findall(r"^## \[(\d.*?)\]", changelog, re.MULTILINE)[0]
    if ".dev" in version:  # between two releases
        assert re.match(r"\d+\.\d+\.\d+\.dev\d+$", version)
        assert Version(version) > Version(released)
    else:
        assert released == version
    assert f"\nversion: {released}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_the_installed_package_is_the_wheel(run, installed):
    assert Path(run("python", "-c", "import whorl; print(whorl.__file__)").strip()).is_relative_to(
        installed.parent
    )


def test_the_readme_shows_what_the_command_line_prints(shell):
    (block,) = code_blocks("console", "On the command line")
    commands = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    assert len(commands) == 2
    for command, output in commands:
        assert shell(command) == output


def test_the_other_commands_of_the_readme(shell, tmp_path):
    block, corpus, search = code_blocks("sh", "On the command line")
    with gzip.open(tmp_path / "corpus.txt.gz", "wt", encoding="utf-8") as file:
        file.write("The dog barks. It is late.\n")
    (tmp_path / "sentences.txt").write_text("The dog barks .\nIt is late .\n", encoding="utf-8")
    (tmp_path / "gold.txt").write_text(TOY, encoding="utf-8")
    (tmp_path / "parsed.txt").write_text(TOY, encoding="utf-8")
    output = shell(block)
    assert len((tmp_path / "trees.txt").read_text(encoding="utf-8").splitlines()) == 2
    assert len((tmp_path / "trees.jsonl").read_text(encoding="utf-8").splitlines()) == 2
    assert "Bracketing FMeasure       = 100.00" in output
    (tmp_path / "essays").mkdir()
    (tmp_path / "essays/one.txt").write_text("The dog barks. It is late.\n", encoding="utf-8")
    (tmp_path / "trees.txt").write_text("(NP (NP (D a)) (PP (P of) (NP (NN b))))\n" * 2)
    assert shell(search).splitlines()[0] == "2"
    assert (tmp_path / "clean.txt").read_text(encoding="utf-8").count("\n") == 2
    with gzip.open(tmp_path / "reviews.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write('{"key": "a", "body": "The dog barks. It is late."}\n')
    install, command = corpus.splitlines()
    assert install == "pip install 'whorl[corpus]'"
    pytest.importorskip("pyarrow")
    shell(command)
    assert (tmp_path / "parsed/manifest.json").exists()


def test_the_python_of_the_readme(run, tmp_path):
    (block,) = code_blocks("python", "In Python")
    (tmp_path / "corpus.txt").write_text("It is late. The dog barks.\n", encoding="utf-8")
    lines = run("python", "-c", block).splitlines()
    assert lines[0].startswith("(TOP (S (NP (DT The) (NN public))")
    assert lines[3].startswith("NP 0 10 The public 0.9")
    assert lines[-1] == "2"


def test_a_model_package_is_built_installed_used_and_removed(run, installed, tmp_path):
    options = ("--name", "xx", "--licence", "CC-BY-4.0", "--language", "en")
    built = run("whorl", "package", str(TINY), *options).strip()
    assert built == str(Path("dist", "whorl_model_xx-2.0.0-py3-none-any.whl"))
    (python,) = installed.glob("python.exe" if os.name == "nt" else "python")
    pip = (sys.executable, "-m", "pip", "--python", str(python))
    run(*pip, "install", "-q", "--no-deps", "--no-index", built)
    try:
        run(*pip, "check")
        parsed = run("whorl", "parse", "--model", "xx", "It works .")
        assert parsed == run("whorl", "parse", "--model", str(TINY), "It works .")
        listed = run("whorl", "models").splitlines()
        assert listed[-1].split()[:4] == ["xx", "en", "2.0.0", "CC-BY-4.0"]
        assert listed[-1].endswith(" whorl-model-xx")
        assert "provider   whorl-model-xx 2.0.0\n" in run("whorl", "models", "xx")
    finally:
        run(*pip, "uninstall", "-q", "-y", "whorl-model-xx")
    code = "import whorl; print([model.name for model in whorl.available_models()])"
    assert run("python", "-c", code) == "['en', 'en-accurate']\n"
    assert not list(installed.parent.rglob("whorl_model_xx*"))


def test_training_as_in_the_readme(shell, tmp_path):
    pytest.importorskip("torch")
    pytest.importorskip("onnx")
    (block,) = code_blocks("sh", "Train your own")
    install, *commands = block.splitlines()
    assert install == "pip install 'whorl[train]'"
    (tmp_path / "treebank.txt").write_text(TOY * 4, encoding="utf-8")
    script = "\n".join(commands).replace("--out model", f"--out model {SMALL}", 1)
    assert shell(script).splitlines()[-1].startswith("(TOP ")
