"""Chroma: vectors and nothing else. Derived and disposable; the only home of `chromadb`."""
