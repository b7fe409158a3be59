"""How good retrieval is, on questions whose answers are known."""
