"""The memory of the vault above events: episodes, concepts, their graph, drift, use and fading. Pure."""
