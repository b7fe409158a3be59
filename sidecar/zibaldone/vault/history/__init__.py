"""The vault's git history, through a git that runs nothing of the repository's own."""
