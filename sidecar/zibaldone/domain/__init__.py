"""Plain values that never cross the wire, and the pure rules that every layer shares."""
