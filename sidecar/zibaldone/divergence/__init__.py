"""The questions that similarity alone does not answer: what disagrees, what is absent, what leads elsewhere. Pure."""
