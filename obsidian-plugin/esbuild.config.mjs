/** Bundle the plugin to build/ as Obsidian wants it. `production` minifies; otherwise watch with source maps. */
import { copyFile, mkdir } from "node:fs/promises";
import { builtinModules } from "node:module";
import process from "node:process";
import esbuild from "esbuild";

const production = process.argv.includes("production");
const folder = "build";
await mkdir(folder, { recursive: true });
await copyFile("styles.css", `${folder}/styles.css`);
await copyFile("../manifest.json", `${folder}/manifest.json`);

const context = await esbuild.context({
  entryPoints: ["src/main.ts"],
  outfile: `${folder}/main.js`,
  bundle: true,
  format: "cjs",
  platform: "browser",
  target: "es2022",
  external: ["obsidian", "electron", "@codemirror/*", "@lezer/*", ...builtinModules, "node:*"],
  minify: production,
  sourcemap: production ? false : "inline",
  treeShaking: true,
  logLevel: "info",
});
if (production) {
  await context.rebuild();
  await context.dispose();
} else {
  await context.watch();
}
