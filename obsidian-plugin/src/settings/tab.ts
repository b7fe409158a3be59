/** The settings tab, declared. Only this device's settings can be changed here; the sidecar's are shown as it reports them. */
import { PluginSettingTab, type App, type Plugin, type SettingDefinitionItem } from "obsidian";
import type { ConfigReport } from "../../../shared-schemas/zibaldone";
import { sayFailure } from "../failure";
import { sayState } from "../status/say";
import type { Supervisor } from "../sidecar/supervisor";
import { say } from "../words";
import type { DeviceStore } from "./device";
import { describeReport, isWholePath } from "./reported";

/** A report this old is asked for again when the tab is shown. */
const FRESH_MS = 3000;

export class ZibaldoneSettingTab extends PluginSettingTab {
  override icon = "message-square-quote";
  private report: ConfigReport | null = null;
  private askedAt = 0;

  constructor(
    app: App,
    plugin: Plugin,
    private readonly device: DeviceStore,
    private readonly supervisor: Pick<Supervisor, "state" | "subscribe" | "restart">,
  ) {
    super(app, plugin);
    plugin.register(supervisor.subscribe(() => this.refresh()));
  }

  override getSettingDefinitions(): SettingDefinitionItem[] {
    void this.fetchReport();
    return [
      {
        type: "group",
        heading: say("settings.device"),
        items: [
          {
            name: say("settings.zibPath"),
            desc: say("settings.zibPath.desc"),
            control: {
              type: "text",
              key: "zibPath",
              placeholder: say("settings.zibPath.placeholder"),
              validate: (value) => (isWholePath(value) ? undefined : say("settings.zibPath.absolute")),
            },
          },
          {
            name: say("settings.start"),
            desc: say("settings.start.desc"),
            control: { type: "toggle", key: "startAutomatically" },
          },
        ],
      },
      {
        type: "group",
        heading: say("settings.sidecar"),
        items: [
          { name: sayState(this.supervisor.state), desc: this.failure() },
          { name: say("settings.restart"), desc: say("settings.restart.desc"), action: () => this.restart() },
          {
            type: "page",
            name: say("settings.reported"),
            desc: say("settings.reported.desc"),
            items: describeReport(this.report),
          },
        ],
      },
    ];
  }

  override getControlValue(key: string): unknown {
    return this.device.current[key as keyof typeof this.device.current];
  }

  override setControlValue(key: string, value: unknown): void {
    if (key === "zibPath" && typeof value === "string" && isWholePath(value))
      this.device.change({ zibPath: value.trim() });
    if (key === "startAutomatically" && typeof value === "boolean") this.device.change({ startAutomatically: value });
  }

  private failure(): string {
    const { state } = this.supervisor;
    return "failure" in state ? sayFailure(state.failure) : "";
  }

  private restart(): void {
    this.supervisor.restart().catch(() => {});
  }

  private refresh(): void {
    this.askedAt = 0;
    if (this.supervisor.state.kind !== "ready") this.report = null;
    if (this.containerEl.isShown()) this.update();
  }

  private async fetchReport(): Promise<void> {
    const { state } = this.supervisor;
    if (state.kind !== "ready" || Date.now() - this.askedAt < FRESH_MS) return;
    this.askedAt = Date.now();
    try {
      this.report = await state.client.config();
      this.update();
    } catch {
      // What is wrong with the sidecar stands in the row above.
    }
  }
}
