"""Changes of notes by line span: what is not changed stays as it is, byte for byte. Pure."""
