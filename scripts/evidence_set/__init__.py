"""One person's year in every kind of file, with a ledger of what stands where. `scripts/evidence.py` makes it."""
