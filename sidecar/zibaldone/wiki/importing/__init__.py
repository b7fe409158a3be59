"""Planning an import: where each file goes, what is in its way, which links have to change. Pure; `runtime.importing`
reads and writes."""
