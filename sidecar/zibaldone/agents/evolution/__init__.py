"""How thinking about a topic moved: versions of notes -> edits -> those about the topic -> steps -> one sentence."""
