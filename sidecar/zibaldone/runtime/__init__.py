"""The composition root: opens everything, owns every lifetime.

`engine` is what the faces see, `local` builds it in this process, `indexer` runs syncs one at a time, `record` ends a
turn in the vault, `wiki` changes pages, `owner` makes sure that one process owns a vault, `prepare` makes a folder a
vault.
"""
