"""`zib config show`: each value and where it came from."""

from __future__ import annotations

from typing import Any

from zibaldone.schemas.base import Wire


class SettingValue(Wire):
    value: Any
    source: str


class SettingsChange(Wire):
    """Dotted keys with their new values, for the settings of this device."""

    values: dict[str, Any]


class ConfigReport(Wire):
    settings: dict[str, SettingValue]
    warnings: list[str]
    config_file: str
    vault_file: str | None
