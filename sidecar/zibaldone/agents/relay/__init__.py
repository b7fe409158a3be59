"""The turn of a question: `pipeline` lists the steps.

search -> abstain or `pack` -> judge -> generate (`prompt`) -> `cite` (with `quote`) -> `record`.
"""
