"""From a question to passages, each with the reasons why it was found.

`pipeline` has the order: `query` reads what was typed, `scope` is where it may look, `rank` asks the legs (`lexical`
and the vectors) and fuses what they bring (`fuse`), `rerankers` compare the best once more, `select` takes what is
shown, and `answerable` says whether any of it is good enough.
"""
