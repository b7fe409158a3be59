"""The engine of another process: `attach` finds the vault's owner, `remote` speaks to it."""
