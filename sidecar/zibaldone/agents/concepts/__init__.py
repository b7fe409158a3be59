"""The notes in which concepts and episodes are seen: what is written, and what of a note is the person's."""
