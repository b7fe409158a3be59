"""Models: the roles that the rest of the sidecar speaks to, and the ways in which a role is served.

`roles` is the contract; `llama` serves it by a worker process with llama.cpp inside, `endpoint` by an
OpenAI-compatible server, `fake` by a script. `catalogue` and `pull` are how a model gets onto the machine.
"""
