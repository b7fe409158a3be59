"""From files to passages that can be found.

`pipeline` lists the steps: scan (vault) -> `diff` -> read (vault) -> `derive` (`parse`, `dates`, `chunk`) -> record
(store) -> `publish` (embed what is new, Chroma). Text is searchable before its vector is.
"""
