/** The golden examples of the wire. */
import { readFileSync } from "node:fs";

export function example<T>(name: string): T {
  return JSON.parse(readFileSync(`../shared-schemas/examples/${name}.json`, "utf8")) as T;
}
