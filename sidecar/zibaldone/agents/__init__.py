"""Conversation turns, built from the flows below. `relay` is the one voice that the person hears."""
