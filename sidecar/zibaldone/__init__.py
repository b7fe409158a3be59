"""Zibaldone: a memory for a person's notes, kept by a model on their own machine."""

__version__ = "0.1.0"
