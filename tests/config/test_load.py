"""Precedence, what a vault may set, and that nothing wrong in a file is fatal."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from zibaldone.config.keys import all_keys, flatten, nest
from zibaldone.config.load import PRECEDENCE, load_settings
from zibaldone.config.places import config_dir, models_dir
from zibaldone.config.settings import VAULT_KEYS, Settings

DEFAULT = Settings().retrieval.k
# Source -> the value of retrieval.k that it gives in these tests.
GIVES = {"user config": 71, "vault settings": 72, ".env": 73, "environment": 74, "flag": 75}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "Zibaldone").mkdir()
    return tmp_path


def write_user(text: str | bytes, name: str = "config.toml") -> Path:
    config_dir().mkdir(parents=True, exist_ok=True)
    path = config_dir() / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def write_vault(vault: Path, text: str) -> Path:
    path = vault / "Zibaldone" / "settings.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "given", [set(some) for count in range(6) for some in itertools.combinations(GIVES, count)], ids=str
)
def test_precedence(vault: Path, given: set[str]) -> None:
    if "user config" in given:
        write_user("[retrieval]\nk = 71\n")
    if "vault settings" in given:
        write_vault(vault, "[retrieval]\nk = 72\n")
    if ".env" in given:
        write_user("ZIBALDONE_RETRIEVAL_K=73\n", ".env")
    environ = {"ZIBALDONE_RETRIEVAL_K": "74"} if "environment" in given else {}
    flags = {"retrieval.k": 75 if "flag" in given else None}
    loaded = load_settings(vault, flags, environ)
    winner = max(given, key=PRECEDENCE.index, default="default")
    assert loaded.origins["retrieval.k"] == winner
    assert loaded.settings.retrieval.k == GIVES.get(winner, DEFAULT)
    assert loaded.warnings == []


def test_nothing_anywhere_is_the_default() -> None:
    loaded = load_settings(None, environ={})
    assert loaded.settings == Settings()
    assert set(loaded.origins.values()) == {"default"}
    assert loaded.vault_file is None


@pytest.mark.parametrize(
    ("bad", "lower"),
    [("user config", DEFAULT), ("vault settings", 71), (".env", 72), ("environment", 73), ("flag", 74)],
)
def test_a_bad_value_is_a_warning_and_the_next_source_counts(vault: Path, bad: str, lower: int) -> None:
    value = {source: 1000 if source == bad else k for source, k in GIVES.items()}
    order = PRECEDENCE[1:]
    below = order[: order.index(bad) + 1]
    if "user config" in below:
        user = write_user(f"retrieval.k = {value['user config']}\n")
    if "vault settings" in below:
        write_vault(vault, f"retrieval.k = {value['vault settings']}\n")
    if ".env" in below:
        write_user(f"ZIBALDONE_RETRIEVAL_K={value['.env']}\n", ".env")
    environ = {"ZIBALDONE_RETRIEVAL_K": str(value["environment"])} if "environment" in below else {}
    flags = {"retrieval.k": value["flag"]} if "flag" in below else {}
    loaded = load_settings(vault, flags, environ)
    assert loaded.settings.retrieval.k == lower
    [warning] = loaded.warnings
    assert "1000" in warning
    assert "retrieval.k" in warning or "ZIBALDONE_RETRIEVAL_K" in warning
    if bad == "user config":
        assert str(user) in warning


def every_key() -> list[str]:
    return list(all_keys())


@pytest.mark.parametrize("name", every_key())
def test_a_vault_may_set_the_safe_keys_only(vault: Path, name: str) -> None:
    key = all_keys()[name]
    value = another_value(name)
    text = f"{name} = {toml(value)}\n"
    path = write_vault(vault, text)
    loaded = load_settings(vault, environ={})
    safe = name.split(".")[0] in VAULT_KEYS
    assert key.vault_may_set is safe
    if safe:
        assert loaded.origins[name] == "vault settings"
        assert flatten(loaded.settings.model_dump())[name] == value
        assert loaded.warnings == []
    else:
        assert loaded.settings == Settings()
        [warning] = loaded.warnings
        assert name in warning
        assert str(path) in warning
        assert "may not be set by a vault" in warning


@pytest.mark.parametrize("name", every_key())
def test_each_key_has_a_variable_and_a_place_in_the_users_file(name: str) -> None:
    value = another_value(name)
    write_user(f"{name} = {toml(value)}\n")
    from_file = load_settings(None, environ={})
    assert flatten(from_file.settings.model_dump())[name] == value
    assert from_file.origins[name] == "user config"

    write_user("")
    text = ",".join(value) if isinstance(value, tuple) else str(value)
    from_environ = load_settings(None, environ={all_keys()[name].variable: text})
    assert flatten(from_environ.settings.model_dump())[name] == value
    assert from_environ.origins[name] == "environment"


def another_value(name: str) -> object:
    """A usable value that is not the default."""
    default = all_keys()[name].default
    chosen = {
        "writeback": "off",
        "approval": "all",
        "retrieval.profile": "recent",
        "retrieval.strategy": "bm25",
        "retrieval.answer_strategy": "semantic",
        "index.url": "http://127.0.0.1:8000",
        "index.ocr": "off",
    }
    if name in chosen:
        return chosen[name]
    match default:
        case bool():
            return not default
        case float():
            return default / 2
        case int():
            return default + 1
        case tuple():
            return ("a", "b c")
    return f"{default}x"


def toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return str(list(value))
    return repr(value)


def test_variables_are_distinct() -> None:
    variables = [key.variable for key in all_keys().values()]
    assert len(set(variables)) == len(variables)


def test_flatten_and_nest_are_inverse() -> None:
    flat = flatten(Settings().model_dump())
    assert set(flat) == set(all_keys())
    assert Settings.model_validate(nest(flat)) == Settings()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[retrieval\n", "not valid TOML"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"x = " + b"[" * 10_000, "nested too deep"),
        (b"# " + b"x" * 300_000, "larger than"),
    ],
)
def test_an_unreadable_file_is_a_warning(content: bytes, words: str) -> None:
    path = write_user(content)
    loaded = load_settings(None, environ={})
    assert loaded.settings == Settings()
    [warning] = loaded.warnings
    assert words in warning
    assert str(path) in warning


def test_a_folder_in_the_place_of_a_file_is_a_warning() -> None:
    (config_dir() / "config.toml").mkdir(parents=True)
    assert "is not a file" in load_settings(None, environ={}).warnings[0]


@pytest.mark.parametrize("text", ["retreival.k = 5", "[retrieval]\nkk = 5", "retrieval = 5", "k = 5"])
def test_an_unknown_key_is_a_warning(text: str) -> None:
    write_user(text)
    loaded = load_settings(None, environ={})
    assert loaded.settings == Settings()
    assert "is no setting" in loaded.warnings[0]


def test_a_misspelt_variable_is_told_and_foreign_ones_are_not() -> None:
    environ = {
        "ZIBALDONE_RETRIEVAL_KK": "5",
        "ZIBALDONE_VAULT": "/x",
        "ZIBALDONE_API_KEY": "secret",
        "ZIBALDONE_MODELS_DIR": "/models",
        "PATH": "/bin",
    }
    [warning] = load_settings(None, environ=environ).warnings
    assert "ZIBALDONE_RETRIEVAL_KK" in warning


def test_dotenv_is_read_beside_the_users_file_and_never_in_a_vault(vault: Path) -> None:
    for folder in (vault, vault / "Zibaldone"):
        (folder / ".env").write_text("ZIBALDONE_RETRIEVAL_K=99\n")
    assert load_settings(vault, environ={}).settings.retrieval.k == DEFAULT
    write_user(
        "# a comment\n\nexport ZIBALDONE_RETRIEVAL_K=\"3\"\nZIBALDONE_WRITEBACK='log'\n"
        "ZIBALDONE_MODELS_THREADS=2 # two\nnonsense\n",
        ".env",
    )
    loaded = load_settings(vault, environ={})
    assert (loaded.settings.retrieval.k, loaded.settings.writeback, loaded.settings.models.threads) == (3, "log", 2)
    assert loaded.origins["retrieval.k"] == ".env"
    [warning] = loaded.warnings
    assert "line 6" in warning


def test_the_vaults_file_is_found_in_the_folder_that_the_user_chose(vault: Path) -> None:
    (vault / "Memory").mkdir()
    (vault / "Memory" / "settings.toml").write_text('folder = "Elsewhere"\nretrieval.k = 4\n')
    loaded = load_settings(vault, environ={"ZIBALDONE_FOLDER": "Memory"})
    assert loaded.settings.folder == "Memory"
    assert loaded.settings.retrieval.k == 4
    assert loaded.vault_file == vault / "Memory" / "settings.toml"


@pytest.mark.parametrize("folder", ["../x", "/etc", "a/b", ".git", "", "a\\b"])
def test_the_folder_stays_in_the_vault(folder: str) -> None:
    loaded = load_settings(None, {"folder": folder}, {})
    assert loaded.settings.folder == "Zibaldone"
    assert loaded.warnings


def test_the_report_has_every_key_with_its_source(vault: Path) -> None:
    write_vault(vault, "retrieval.k = 4\nread_only = true\n")
    report = load_settings(vault, environ={"ZIBALDONE_READ_ONLY": "true"}).report()
    assert set(report.settings) == set(all_keys())
    assert (report.settings["retrieval.k"].value, report.settings["retrieval.k"].source) == (4, "vault settings")
    assert (report.settings["read_only"].value, report.settings["read_only"].source) == (True, "environment")
    assert report.vault_file == str(vault / "Zibaldone" / "settings.toml")
    assert len(report.warnings) == 1


def test_the_models_folder_can_be_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZIBALDONE_MODELS_DIR", str(tmp_path / "shared"))
    assert models_dir() == tmp_path / "shared"
    monkeypatch.delenv("ZIBALDONE_MODELS_DIR")
    assert models_dir().parts[-3:] == ("data", "zibaldone", "models")
