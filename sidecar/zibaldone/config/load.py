"""Where each setting comes from: flag > environment > `.env` > vault > user's config.toml > default.

The `.env` lies beside the user's config.toml. A vault syncs, so its settings file may hold only
`VAULT_KEYS`, and an `.env` in a vault is never read. A value that cannot be used is a warning and the
next source is asked; loading never fails.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from zibaldone.config.keys import PREFIX, BadValue, all_keys, flatten, nest
from zibaldone.config.places import config_dir
from zibaldone.config.settings import Settings
from zibaldone.config.sources import read_dotenv, read_toml
from zibaldone.schemas.settings import ConfigReport, SettingValue

DEFAULT, USER, VAULT = "default", "user config", "vault settings"
DOTENV, ENVIRONMENT, FLAG = ".env", "environment", "flag"
# Lowest first: a later one wins.
PRECEDENCE = (DEFAULT, USER, VAULT, DOTENV, ENVIRONMENT, FLAG)

_Values = dict[str, object]
_NOT_SETTINGS = {f"{PREFIX}MODELS_DIR"}
_NO_FLAGS: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """`origins` has one of `PRECEDENCE` for each dotted key."""

    settings: Settings
    origins: dict[str, str]
    warnings: list[str]
    config_file: Path
    vault_file: Path | None

    def report(self) -> ConfigReport:
        values = flatten(self.settings.model_dump())
        return ConfigReport(
            settings={key: SettingValue(value=values[key], source=origin) for key, origin in self.origins.items()},
            warnings=self.warnings,
            config_file=str(self.config_file),
            vault_file=str(self.vault_file) if self.vault_file else None,
        )


def load_settings(
    vault: Path | None,
    flags: Mapping[str, object] = _NO_FLAGS,
    environ: Mapping[str, str] | None = None,
) -> LoadedSettings:
    """Settings for `vault` (or for no vault).

    Args:
        flags: dotted key -> value; None means that the flag was not given.
        environ: instead of the process's own environment.
    """
    config_file = config_dir() / "config.toml"
    warnings: list[str] = []
    layers: dict[str, _Values] = {
        DEFAULT: {key.name: key.default for key in all_keys().values()},
        USER: _from_file(config_file, warnings, in_vault=False),
        DOTENV: _from_dotenv(config_dir() / ".env", warnings),
        ENVIRONMENT: _from_variables(os.environ if environ is None else environ, "environment", warnings),
        FLAG: _from_flags(flags, warnings),
    }
    vault_file = None
    if vault:
        # Found by `folder`, which the vault's own file may not set.
        folder = _merge(layers)[0]["folder"]
        vault_file = vault / str(folder) / "settings.toml"
        layers[VAULT] = _from_file(vault_file, warnings, in_vault=True)
    values, origins = _merge(layers)
    return LoadedSettings(
        settings=Settings.model_validate(nest(values)),
        origins=origins,
        warnings=warnings,
        config_file=config_file,
        vault_file=vault_file if vault_file and vault_file.is_file() else None,
    )


def _merge(layers: Mapping[str, _Values]) -> tuple[_Values, dict[str, str]]:
    values: _Values = {}
    origins: dict[str, str] = {}
    for source in PRECEDENCE:
        for key, value in layers.get(source, {}).items():
            values[key] = value
            origins[key] = source
    return values, origins


def _from_file(path: Path, warnings: list[str], *, in_vault: bool) -> _Values:
    tables, problems = read_toml(path)
    warnings += problems
    values: _Values = {}
    for name, value in flatten(tables).items():
        key = all_keys().get(name)
        if key is None:
            warnings.append(f"{path}: {name} is no setting and was left out.")
        elif in_vault and not key.vault_may_set:
            warnings.append(
                f"{path}: {name} may not be set by a vault, which syncs, and was left out; "
                f"set it in {config_dir() / 'config.toml'}."
            )
        else:
            try:
                values[name] = key.read(value)
            except BadValue as error:
                warnings.append(f"{path}: {name} = {value!r} cannot be used: {error}.")
    return values


def _from_dotenv(path: Path, warnings: list[str]) -> _Values:
    variables, problems = read_dotenv(path)
    warnings += problems
    return _from_variables(variables, str(path), warnings)


def _from_variables(variables: Mapping[str, str], where: str, warnings: list[str]) -> _Values:
    known = {key.variable: key for key in all_keys().values()}
    # A misspelt setting is told; other ZIBALDONE_ variables (a vault, an API key) are not ours to judge.
    sections = tuple({f"{PREFIX}{name.split('.')[0].upper()}_" for name in all_keys() if "." in name})
    values: _Values = {}
    for variable, text in variables.items():
        key = known.get(variable)
        if key is not None:
            try:
                values[key.name] = key.read_text(text)
            except BadValue as error:
                warnings.append(f"{where}: {variable} = {text!r} cannot be used for {key.name}: {error}.")
        elif variable.startswith(sections) and variable not in _NOT_SETTINGS:
            warnings.append(f"{where}: {variable} is no setting and was left out.")
    return values


def _from_flags(flags: Mapping[str, object], warnings: list[str]) -> _Values:
    values: _Values = {}
    for name, value in flags.items():
        if value is None:
            continue
        try:
            values[name] = all_keys()[name].read(value)
        except BadValue as error:
            warnings.append(f"flag: {name} = {value!r} cannot be used: {error}.")
    return values
