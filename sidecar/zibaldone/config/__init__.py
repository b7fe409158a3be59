"""Settings and the places where the sidecar keeps things outside the vault.

`settings` says what can be set and its default, `load` where a value comes from, `places` which folders.
"""
