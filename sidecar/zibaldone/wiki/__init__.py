"""The wiki's pure core: what a page is called, holds, rests on and links to, and what is wrong with it.

Nothing here reads a disk, runs git or asks a model: texts, paths, hashes and times are arguments, results are values.
"""
