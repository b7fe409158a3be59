"""Exit codes, errors, JSON on stdout and nothing else, and what is imported when."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.fakes import ScriptedEngine, every_error, example
from zibaldone import __version__
from zibaldone.cli.main import COMMANDS
from zibaldone.errors import NotFound, ZibaldoneError

FAKE_ZIB = Path(__file__).parents[1] / "support" / "fake_zib.py"
HEAVY = ("chromadb", "llama_cpp", "aiohttp", "numpy", "rich", "git", "pydantic", "asyncio")

JSON_COMMANDS = {
    ("status",): "Status.typical",
    ("doctor",): "DoctorReport.typical",
    ("search", "Kestrel"): "SearchResponse.hit",
    ("sync",): "SyncReport.typical",
    ("rebuild",): "SyncReport.typical",
    ("history",): "Conversations.one",
    ("history", "list"): "Conversations.one",
    ("history", "show", "conv-20260304-1"): "Conversation.one",
    ("history", "delete", "conv-20260304-1"): "Deleted.one",
}


@pytest.mark.parametrize("arguments", ["--help", "--version", "-h"])
def test_help_is_instant(arguments: str) -> None:
    program = (
        f"import sys; from zibaldone.cli.main import run; code = run([{arguments!r}]); "
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr == "[]\n"
    assert done.stdout


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "models"])
def test_help_of_a_command_loads_no_heavy_library(name: str) -> None:
    program = (
        f"import sys; from zibaldone.cli.main import run; code = run([{name!r}, '--help']); "
        f"print([name for name in {HEAVY[:6]!r} if name in sys.modules], file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "[]\n")
    assert all(len(line) <= 80 for line in done.stdout.splitlines())


def test_version(zib) -> None:
    assert zib("--version").out == f"zib {__version__}\n"


def test_help_lists_every_command(zib) -> None:
    ran = zib("--help")
    for name in COMMANDS:
        assert f"\n  {name} " in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80


@pytest.mark.parametrize(("arguments", "name"), JSON_COMMANDS.items(), ids=str)
def test_json_is_one_document_on_stdout(zib, arguments: tuple[str, ...], name: str) -> None:
    ran = zib(*arguments, "--json")
    assert ran.code == 0
    assert json.loads(ran.out) == example(name)


@pytest.mark.parametrize("arguments", JSON_COMMANDS, ids=str)
def test_human_output_fits_80_columns(zib, arguments: tuple[str, ...]) -> None:
    ran = zib(*arguments)
    assert ran.code == 0
    assert ran.out.strip()
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "\x1b" not in ran.out


@pytest.mark.parametrize("error", every_error(), ids=lambda error: error.code)
def test_an_expected_failure_is_two_lines_and_1(zib, opened, error: type[ZibaldoneError]) -> None:
    opened.make = lambda: ScriptedEngine(failure=error("What happened.", "What to do."))
    ran = zib("status")
    assert (ran.code, ran.out, ran.err) == (1, "", "error: What happened.\nhint: What to do.\n")
    ran = zib("status", "--json")
    assert ran.code == 1
    assert json.loads(ran.out) == {
        "error": {
            "code": error.code,
            "message": "What happened.",
            "hint": "What to do.",
            "retryable": error.retryable,
        }
    }


def test_debug_shows_the_traceback(zib, opened) -> None:
    opened.make = lambda: ScriptedEngine(failure=NotFound("Nothing.", "Look elsewhere."))
    for arguments in (("--debug", "status"), ("status", "--debug")):
        ran = zib(*arguments)
        assert ran.code == 1
        assert "Traceback" in ran.err
        assert "error: Nothing." in ran.err


def test_an_unexpected_failure_is_one_clean_line(zib, opened) -> None:
    opened.make = lambda: ScriptedEngine(failure=KeyError("two\nlines \x1b[31m"))
    ran = zib("status")
    assert ran.code == 1
    assert "Traceback" not in ran.err
    assert "\x1b" not in ran.err
    assert ran.err.startswith("error: Something went wrong inside Zibaldone (KeyError: ")
    assert "hint: Run it again with --debug" in ran.err
    assert len(ran.err.splitlines()) == 2
    assert json.loads(zib("status", "--json").out)["error"]["code"] == "internal"


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",), ("search",), ("ask",), ("search", "x", "-k", "0"), ("search", "x", "-k", "many"),
        ("status", "--nonsense"), ("search", "x", "--profile", "nice"), ("serve", "--port", "70000"), ("restore",),
        ("history", "delete"),
    ],
)  # fmt: skip
def test_usage_is_2(zib, arguments: tuple[str, ...]) -> None:
    ran = zib(*arguments)
    assert ran.code == 2
    assert ran.out == ""
    assert "Usage" in ran.err
    ran = zib(*arguments, "--json")
    assert ran.code == 2
    assert json.loads(ran.out)["error"]["code"] == "invalid_request"


def test_an_interrupt_is_130(zib, opened) -> None:
    def interrupt() -> ScriptedEngine:
        raise KeyboardInterrupt

    opened.make = interrupt
    ran = zib("status")
    assert ran.code == 130
    assert "Traceback" not in ran.err


def test_a_reader_that_goes_away_is_no_failure(vault: Path) -> None:
    done = subprocess.run(
        f"{sys.executable} {FAKE_ZIB} status --json --vault '{vault}' | true",
        shell=True, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr == ""


def test_a_reader_that_has_gone_already_ends_a_command_with_0(vault: Path) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "wb") as gone:
        done = subprocess.run(
            [sys.executable, str(FAKE_ZIB), "changes", "--vault", str(vault)],
            stdout=gone, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_the_vault_is_found(zib, opened, vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = vault / "a" / "b"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    assert zib("status").code == 0
    monkeypatch.chdir("/")
    ran = zib("status")
    assert ran.code == 1
    assert "--vault" in ran.err
    assert zib("--vault", str(vault), "status").code == 0
    assert zib("status", "--vault", str(vault)).code == 0
    monkeypatch.setenv("ZIBALDONE_VAULT", str(vault))
    assert zib("status").code == 0
    ran = zib("status", "--vault", str(tmp_path / "missing"), "--json")
    assert json.loads(ran.out)["error"]["code"] == "vault_not_found"


def test_warnings_about_settings_go_to_stderr(zib, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZIBALDONE_RETRIEVAL_K", "many")
    ran = zib("status", "--json")
    assert ran.code == 0
    assert json.loads(ran.out)
    assert "warning: environment: ZIBALDONE_RETRIEVAL_K = 'many'" in ran.err
