"""The `zib` command: parse, call one flow of the engine, render.

`main` maps names to modules, which are loaded when used, and errors to exit codes; `engine` finds the vault's
owner or becomes it; `output` and `render` write to the terminal; every other module is one command.
"""
