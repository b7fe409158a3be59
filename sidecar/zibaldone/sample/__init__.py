"""The sample: a small vault, a repository and questions about both, for trying the program and for `zib eval`."""
