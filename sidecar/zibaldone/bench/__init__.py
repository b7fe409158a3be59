"""`zib bench`: how much slower than the raw libraries Zibaldone is, on this machine, each figure beside its raw one.

An edge like the command line: it runs the program as a person does (`zib sync`, a served sidecar over HTTP) on a copy
of a vault, in a throw-away place. Nothing inside imports it. `raw` is the other side of each ratio.
"""
