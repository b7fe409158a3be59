"""From the bytes of a file that is no note to its text: a `Document`, or why there is none.

`kinds` tells from the name which reader a file has, `process` hands it to a child process (`child`, under `limits`),
and there the reader of that kind makes the text of it. Readers are pure: bytes in, `Document` or `Unreadable` out.
"""
