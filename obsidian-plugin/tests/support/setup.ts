/** Obsidian's globals, where there is a page; what runs in Node alone (a live sidecar) has none. */
if (typeof document !== "undefined") await import("obsidian-test-mocks/vitest-setup");

export {};
