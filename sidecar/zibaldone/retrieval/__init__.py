"""From a question to passages, each with the reasons why it was found.

`pipeline` lists the steps: `strategy` (which legs) -> legs (store, index) -> rescore -> `fuse` -> `select` ->
`answerable` (is any of it good enough?).
"""
