"""The vault on disk: finding it, reading and writing its files safely, and its git history.

What is canonical lives here. Everything is synchronous (callers use threads) except the watcher.
"""
