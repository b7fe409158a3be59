"""Changing a note by the lines that are meant, and leaving every other byte as it is.

Pure: bytes in, bytes out. A note is never parsed and written anew: measured on 24 odd notes, that gave none of them
back as it was. Each edit finds its place (`address`), or raises an error that lists what could have been meant; makes
new text fit the note (`lines`); and checks that the rest of the note still means what it did.

`append`, `replace`, `properties`, `links` are the edits; `hunks` compares two versions and applies any part of it.
"""
