/** The page's script and style, made by esbuild; the plugin as `npm run build` left it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import esbuild from "esbuild";
import type { PageFiles } from "./server";

const HERE = join(import.meta.dirname, "../page");
const BUILT = join(import.meta.dirname, "../../build");

let page: Promise<{ script: string; style: string }> | undefined;

export async function pageFiles(pluginScript = join(BUILT, "main.js")): Promise<PageFiles> {
  page ??= bundle();
  const read = (path: string) => readFileSync(path, "utf8");
  const plugin = {
    main: read(pluginScript),
    styles: read(join(BUILT, "styles.css")),
    manifest: read(join(BUILT, "manifest.json")),
  };
  return { ...(await page), plugin };
}

async function bundle(): Promise<{ script: string; style: string }> {
  const result = await esbuild.build({
    entryPoints: [join(HERE, "app.ts")],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    target: "es2022",
    sourcemap: "inline",
    logLevel: "error",
  });
  return { script: result.outputFiles[0]?.text ?? "", style: readFileSync(join(HERE, "obsidian.css"), "utf8") };
}
