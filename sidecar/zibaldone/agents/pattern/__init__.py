"""The nightly run: what the day's conversations said, and a memory that stays tidy."""
