/** The app as the harness builds it: the mocks' own, with our workspace and the parts that are not in `obsidian.d.ts`. */
import type { App as MockApp } from "obsidian-test-mocks/obsidian";
import type { Commands } from "./commands";
import type { Settings } from "./settings";
import type { Workspace } from "./workspace";

export type App = Omit<MockApp, "workspace" | "isDarkMode"> & {
  workspace: Workspace;
  commands: Commands;
  setting: Settings;
  isDarkMode(): boolean;
};
