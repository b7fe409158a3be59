"""A made-up year of notes with a ledger of what happened in it, from a seed, without a model.

`plan` (which events, when) -> `tell` (in which words) -> `year` (the notes); `measure` compares with the ledger.
"""
