"""Text out of files that are no notes. `process` runs the readers in a child, where they can do no harm; each other
module reads one kind, from bytes to `domain.documents`."""
