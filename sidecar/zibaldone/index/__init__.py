"""Vectors and nothing else: Chroma (derived, disposable; the only home of `chromadb`), and exact search in memory."""
