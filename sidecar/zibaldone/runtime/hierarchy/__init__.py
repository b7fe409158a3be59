"""The memory of the vault at work: sources -> events -> levels, and what is asked of them.

`builder` is the order. `sources` knows what there is to read, `reading` makes events of a source, `levels` builds and
keeps what is above them; `tell`, `cards`, `cores`, `use`, `node_search` and `notes` answer from it; `wiring` puts them
together.
"""
