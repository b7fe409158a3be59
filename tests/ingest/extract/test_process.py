"""The child process: what a file does to its reader costs that file only."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from zibaldone.domain.documents import Document, Unreadable
from zibaldone.domain.notes import Modality
from zibaldone.errors import StoreClosed
from zibaldone.ingest.extract.kinds import Kind
from zibaldone.ingest.extract.process import Extractor

_TESTS = Path(__file__).parents[2]
_HOSTILE = Kind(Modality.DOCUMENT, "support.hostile_readers", 1, 1 << 20)

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="told by /proc")


@pytest.fixture
def extractor(monkeypatch: pytest.MonkeyPatch) -> Iterator[Extractor]:
    monkeypatch.setenv("PYTHONPATH", str(_TESTS))
    with Extractor(lambda name: _HOSTILE, ocr="off", time_s=20.0) as extractor:
        yield extractor


def say(extractor: Extractor, command: bytes) -> str:
    outcome = extractor.read(command, "a.txt")
    assert isinstance(outcome, Document), outcome
    return outcome.parts[0].text


def refused(extractor: Extractor, command: bytes) -> str:
    """The reason for the command; the next file is read as ever."""
    outcome = extractor.read(command, "a.txt")
    assert isinstance(outcome, Unreadable), outcome
    assert say(extractor, b"anything") == "read"
    return outcome.reason


def test_one_child_serves_many_files(extractor: Extractor) -> None:
    assert say(extractor, b"pid") == say(extractor, b"pid")


@posix_only
def test_a_file_that_is_read_when_it_closes_is_given_up(extractor: Extractor, tmp_path: Path) -> None:
    pipe = tmp_path / "begun"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(extractor.read, b"open-and-hang " + os.fsencode(pipe), "a")
        with pipe.open("wb"):  # opens when the reader has
            extractor.close()
        with pytest.raises(StoreClosed):
            reading.result()
    with pytest.raises(StoreClosed):
        extractor.read(b"anything", "a")


def test_a_child_is_replaced_after_many_files(extractor: Extractor) -> None:
    first = say(extractor, b"pid")
    for _ in range(199):
        say(extractor, b"anything")
    assert say(extractor, b"pid") != first


@posix_only
@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (b"allocate", "needs more than 512 MB of memory"),
        (b"crash", "crashed its reader (SIGSEGV)"),
        (b"exit", "crashed its reader (exit code 0)"),
        (b"flood", "crashed its reader"),
        (b"lie", "crashed its reader"),
        (b"connect", "failed in its reader (PermissionError)"),
        (b"raise", "failed in its reader (ValueError)"),
        (b"recurse", "is nested too deeply"),
    ],
)
def test_a_failure_is_that_files_alone(extractor: Extractor, command: bytes, reason: str) -> None:
    assert refused(extractor, command) == reason


def test_a_reader_that_hangs_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(_TESTS))
    with Extractor(lambda name: _HOSTILE, time_s=0.5) as extractor:
        assert extractor.read(b"hang", "a.txt") == Unreadable("took longer than 0.5 s")


def test_nothing_is_written(extractor: Extractor, tmp_path: Path) -> None:
    target = tmp_path / "written"
    assert refused(extractor, b"write " + str(target).encode()) == "failed in its reader (PermissionError)"
    assert not target.exists()


def test_what_a_reader_prints_is_no_answer(extractor: Extractor) -> None:
    assert say(extractor, b"print") == "read"


@posix_only
def test_a_reader_may_run_a_program(extractor: Extractor) -> None:
    assert say(extractor, b"run") == "ran"


@linux_only
def test_native_code_has_no_network(extractor: Extractor) -> None:
    if subprocess.run(["unshare", "-Un", "true"], check=False).returncode:
        pytest.skip("this system allows no network namespace")
    assert say(extractor, b"native") == "-1"


@linux_only
def test_memory_stays_below_the_limit(extractor: Extractor) -> None:
    outcome = extractor.read(b"allocate", "a.txt")
    assert isinstance(outcome, Unreadable)
    assert int(say(extractor, b"peak")) <= 512 << 10


def test_keys_of_the_environment_are_not_passed_on(extractor: Extractor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZIBALDONE_KEY", "secret")
    assert "ZIBALDONE_KEY" not in say(extractor, b"environment").split("\n")


def test_a_long_text_is_cut_and_cleaned(extractor: Extractor) -> None:
    outcome = extractor.read(b"long", "a.txt")
    assert isinstance(outcome, Document)
    assert set(outcome.parts[0].text) == {"a"}
    assert outcome.problems == ("only the first 4,000,000 characters are read",)


def test_a_large_file_is_not_sent(extractor: Extractor) -> None:
    assert extractor.read(bytes((1 << 20) + 1), "a.txt") == Unreadable("is larger than 1 MB")


def test_a_reader_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = Kind(Modality.DOCUMENT, "zibaldone.ingest.extract.nothing", 1, 1 << 20)
    with Extractor(lambda name: missing) as extractor:
        assert extractor.read(b"", "a.txt") == Unreadable("there is no reader for this kind of file yet")
        assert Extractor().read(b"", "a.wav") == Unreadable("there is no reader for this kind of file")


@linux_only
def test_the_child_ends_with_its_parent(tmp_path: Path) -> None:
    program = (
        "import os, signal\n"
        "from zibaldone.ingest.extract.process import Extractor\n"
        "from test_process_kind import HOSTILE\n"
        "e = Extractor(lambda name: HOSTILE)\n"
        "print(e.read(b'pid', 'a').parts[0].text, flush=True)\n"
        "e.read(b'hang', 'a')\n"
    )
    kind = "from zibaldone.ingest.extract.kinds import Kind\nfrom zibaldone.domain.notes import Modality\n"
    (tmp_path / "test_process_kind.py").write_text(
        kind + "HOSTILE = Kind(Modality.DOCUMENT, 'support.hostile_readers', 1, 9)\n"
    )
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{_TESTS}"}
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, env=environment)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    child = os.pidfd_open(pid)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    assert select.select([child], [], [], 30.0)[0], "the child outlives its parent"
    os.close(child)
    parent.stdout.close()


def test_what_files_before_it_left_behind_is_no_files_fault(extractor: Extractor) -> None:
    assert say(extractor, b"fail-next") == "read"
    assert say(extractor, b"anything") == "read"
