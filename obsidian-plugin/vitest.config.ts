import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          globals: true,
          include: ["tests/**/*.test.ts"],
          environment: "jsdom",
          // The package holds types only; the set-up file cannot replace what does not resolve.
          alias: { obsidian: "obsidian-test-mocks/obsidian" },
          setupFiles: ["tests/support/setup.ts"],
        },
      },
      {
        // Real Chromium, real sidecar: one flow after the other, each with time to load a model.
        test: {
          name: "browser",
          globals: true,
          include: ["harness/**/*.test.ts"],
          environment: "node",
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
