"""What is remembered about the person, kept as Markdown that they can read and correct."""
