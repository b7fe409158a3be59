/**
 * The store's rules, on the plugin and on the manifest and licence in the project's root. Runs from the root, where the
 * store's plugin looks for the manifest.
 */
import { parser as typescript } from "typescript-eslint";
import { defineConfig, globalIgnores } from "eslint/config";
import obsidianmd from "eslint-plugin-obsidianmd";
import { PlainTextParser } from "eslint-plugin-obsidianmd/dist/lib/plainTextParser.js";

const sentenceCase = { brands: ["Zibaldone", "Obsidian"] };

/** The rule for the manifest wants its JSON as an expression; in parentheses it is one. */
const asExpression = {
  parseForESLint: (text) =>
    typescript.parseForESLint(`(${text.trimEnd()})`, { range: true, loc: true, tokens: true, comment: true }),
};

export default defineConfig([
  globalIgnores(["**/build/", "**/node_modules/", "**/*.mjs"]),
  ...obsidianmd.configs.recommendedWithLocalesEn,
  {
    files: ["**/*.ts"],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "obsidianmd/ui/sentence-case": ["warn", sentenceCase],
      "obsidianmd/ui/sentence-case-locale-module": ["warn", sentenceCase],
    },
  },
  {
    // These know no Obsidian, so that they run and are tested without it.
    files: ["**/src/sidecar/**", "**/src/words/**"],
    rules: { "no-restricted-imports": ["error", "obsidian"] },
  },
  {
    // These run in Node, which has no `requestUrl`.
    files: ["**/tests/**", "**/harness/**"],
    rules: { "no-restricted-globals": "off" },
  },
  {
    // No part of the plugin: it runs in Node and, in a browser, plays Obsidian's part, which runs plugins and renders HTML.
    files: ["**/harness/**"],
    rules: {
      "no-undef": "off", // TypeScript knows
      "obsidianmd/no-nodejs-modules": "off",
      "obsidianmd/prefer-window-timers": "off",
      "obsidianmd/no-global-this": "off",
      "obsidianmd/no-forbidden-elements": "off",
      "obsidianmd/prefer-create-el": "off",
      "obsidianmd/rule-custom-message": "off",
      "@typescript-eslint/no-implied-eval": "off",
      "@microsoft/sdl/no-inner-html": "off",
      "no-unsanitized/property": "off",
      "import/no-extraneous-dependencies": [
        "error",
        { packageDir: [`${import.meta.dirname}/node_modules/obsidian`, import.meta.dirname] },
      ],
    },
  },
  {
    files: ["manifest.json"],
    plugins: { obsidianmd },
    languageOptions: { parser: asExpression },
    rules: { "obsidianmd/validate-manifest": "error" },
  },
  {
    files: ["LICENSE"],
    plugins: { obsidianmd },
    languageOptions: { parser: PlainTextParser },
    rules: { "obsidianmd/validate-license": "error" },
  },
]);
