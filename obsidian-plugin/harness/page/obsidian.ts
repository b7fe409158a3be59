/** The module `obsidian` as the plugin gets it: the mocks, and our own in the place of those that do nothing visible. */
export * from "obsidian-test-mocks/obsidian";
export { getIcon, getLanguage, requestUrl, setIcon, setTooltip } from "./functions";
export { MarkdownRenderer } from "./markdown";
export { NoteView as MarkdownView } from "./note";
export { Menu, Modal, Notice, SuggestModal } from "./overlays";
export { Plugin } from "./plugin";
export { Scope } from "./scope";
export { PluginSettingTab, Setting, SettingTab } from "./settings";
export { FileSystemAdapter } from "./vault";
export { ItemView, View } from "./views";
export { Leaf as WorkspaceLeaf, Workspace } from "./workspace";

export const Platform = {
  isDesktop: true,
  isDesktopApp: true,
  isMobile: false,
  isMobileApp: false,
  isIosApp: false,
  isAndroidApp: false,
  isPhone: false,
  isTablet: false,
  isMacOS: false,
  isWin: false,
  isLinux: true,
  isSafari: false,
  resourcePathPrefix: "app://local/",
};
