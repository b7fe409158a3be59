"""SQLite: `index_db` records what is indexed (derived), `cache_db` keeps embeddings by content (shared by all
vaults), `state_db` holds what a rebuild must never touch.

Everything here is synchronous and safe to call from any thread; callers leave the event loop first.
"""
