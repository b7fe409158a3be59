"""The engine over loopback HTTP.

`routes` is the one table of what is served; `app` puts the guards before it, `handlers` and `streams` answer,
`openapi` describes, `server` owns the socket, the token and the run file.
"""
