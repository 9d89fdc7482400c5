"""What the commands share: exit codes, closed pipes, and complete output files."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import typer

from whorl.cli.common import OnError, guarded, open_output, report_skipped
from whorl.errors import BracketError, TreeError

SCRIPT = """
import sys, typer
from whorl.cli.common import guarded
from whorl.errors import TreeError

app = typer.Typer(pretty_exceptions_enable=False)

@app.command()
@guarded
def run(what: str) -> None:
    if what == "endless":
        while True:
            print("line")
    elif what == "short":
        print("line")
    elif what == "bad":
        print("line")
        raise TreeError("no such tree")
    elif what == "missing":
        open("none.txt")
    elif what == "exit":
        print("line")
        raise typer.Exit(3)

app()
"""


def run(what: str, tmp_path: Path, **options) -> subprocess.CompletedProcess[str]:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    options.setdefault("stdout", subprocess.PIPE)
    options["env"] = {
        name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"
    }
    return subprocess.run(
        [sys.executable, str(script), what],
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
        **options,
    )


class TestGuarded:
    @pytest.mark.skipif(os.name == "nt", reason="needs head")
    def test_a_closed_pipe_ends_a_command_with_0_in_silence(self, tmp_path):
        script = tmp_path / "script.py"
        script.write_text(SCRIPT, encoding="utf-8")
        command = [sys.executable, str(script), "endless"]
        writer = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        reader = subprocess.run(
            ["head", "-1"], stdin=writer.stdout, capture_output=True, text=True, check=True
        )
        writer.stdout.close()  # the last reader is gone now
        writer.stdout = None
        _, message = writer.communicate(timeout=60)
        assert (reader.stdout, writer.returncode, message) == ("line\n", 0, "")

    @pytest.mark.parametrize(("what", "code"), [("short", 0), ("exit", 3)])
    def test_a_pipe_closed_before_the_first_line_keeps_the_exit_code(self, tmp_path, what, code):
        read, write = os.pipe()
        os.close(read)
        with open(write, "w") as closed:
            done = run(what, tmp_path, stdout=closed.fileno())
        assert (done.returncode, done.stderr) == (code, "")

    def test_a_whorl_error_is_a_message_and_exit_1(self, tmp_path):
        done = run("bad", tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (
            1,
            "line\n",
            "whorl: error: no such tree\n",
        )

    def test_a_missing_file_is_a_message_and_exit_1(self, tmp_path):
        done = run("missing", tmp_path)
        assert (done.returncode, done.stderr) == (
            1,
            "whorl: error: none.txt: No such file or directory\n",
        )

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
    def test_a_full_disk_is_a_message_and_exit_1(self, tmp_path):
        with Path("/dev/full").open("w") as full:
            done = run("short", tmp_path, stdout=full)
        assert (done.returncode, done.stderr) == (
            1,
            "whorl: error: standard input or output: No space left on device\n",
        )

    def test_an_interrupt_is_exit_130(self, capsys):
        @guarded
        def command() -> None:
            raise KeyboardInterrupt

        with pytest.raises(typer.Exit) as caught:
            command()
        assert caught.value.exit_code == 130
        assert capsys.readouterr().err == "whorl: interrupted\n"

    def test_arguments_name_and_docstring_pass_through(self):
        seen = []

        @guarded
        def command(one: int, *, two: int) -> None:
            """Do it."""
            seen.append((one, two))

        command(1, two=2)
        assert (seen, command.__name__, command.__doc__) == ([(1, 2)], "command", "Do it.")


class TestOpenOutput:
    @pytest.mark.parametrize("error", [TreeError, KeyboardInterrupt, OSError])
    def test_a_failed_write_leaves_the_old_file_and_nothing_else(self, tmp_path, error):
        target = tmp_path / "out.txt"
        target.write_text("old")
        with pytest.raises(error), open_output(target) as file:
            file.write("new" * 100_000)
            raise error("stop")
        assert target.read_text() == "old"
        assert list(tmp_path.iterdir()) == [target]

    def test_a_failed_write_leaves_no_new_file(self, tmp_path):
        with pytest.raises(TreeError), open_output(tmp_path / "out.txt"):
            raise TreeError("stop")
        assert list(tmp_path.iterdir()) == []

    def test_the_file_appears_once_it_is_complete(self, tmp_path):
        target = tmp_path / "out.txt"
        with open_output(str(target)) as file:
            file.write("é\n")
            assert not target.exists()
        assert target.read_bytes() == "é\n".encode()
        assert list(tmp_path.iterdir()) == [target]

    def test_a_replaced_file_keeps_its_permissions(self, tmp_path):
        target = tmp_path / "out.txt"
        target.write_text("old")
        target.chmod(0o640)
        with open_output(target) as file:
            file.write("new")
        assert stat.S_IMODE(target.stat().st_mode) == 0o640

    def test_a_link_stays_a_link(self, tmp_path):
        target, link = tmp_path / "out.txt", tmp_path / "link.txt"
        target.write_text("old")
        link.symlink_to(target)
        with open_output(link) as file:
            file.write("new")
        assert link.is_symlink()
        assert target.read_text() == "new"

    def test_a_named_pipe_is_written_to_not_replaced(self, tmp_path):
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        got: list[str] = []
        reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
        reader.start()
        with open_output(pipe) as file:
            file.write("new")
        reader.join(timeout=30)
        assert got == ["new"]
        assert pipe.is_fifo()

    def test_a_folder_that_is_missing_or_in_the_way_is_named(self, tmp_path):
        target = tmp_path / "none" / "out.txt"
        with pytest.raises(OSError) as caught, open_output(target):
            pass
        assert (type(caught.value), caught.value.filename) == (FileNotFoundError, str(target))
        with pytest.raises(IsADirectoryError), open_output(tmp_path):
            pass

    def test_a_long_name_is_no_obstacle(self, tmp_path):
        with open_output(tmp_path / ("n" * 250)) as file:
            file.write("new")
        assert (tmp_path / ("n" * 250)).read_text() == "new"

    @pytest.mark.parametrize("path", [None, "-", Path("-")])
    def test_a_dash_is_standard_output(self, path, capsys):
        with open_output(path) as file:
            file.write("x")
        assert capsys.readouterr().out == "x"


def test_skipped_trees_are_counted_and_listed(capsys):
    errors = [BracketError("bad", source="f", line=line, column=1) for line in (1, 2)]
    report_skipped(errors[:1])
    report_skipped(errors)
    report_skipped([])
    report_skipped(None)
    assert capsys.readouterr().err == (
        "whorl: skipped 1 malformed tree:\n  f:1:1: bad\n"
        "whorl: skipped 2 malformed trees:\n  f:1:1: bad\n  f:2:1: bad\n"
    )


def test_errors_are_collected_only_when_asked_to_skip():
    assert OnError.stop.collector() is None
    assert OnError.skip.collector() == []
