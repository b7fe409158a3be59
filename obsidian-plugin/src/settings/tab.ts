/** The settings tab, declared: this device's settings, and those of the sidecar, which hold once it is started again. */
import {
  apiVersion,
  getLanguage,
  Notice,
  PluginSettingTab,
  type App,
  type Plugin,
  type SettingDefinitionItem,
} from "obsidian";
import type { ConfigReport, DoctorReport, Status } from "../../../shared-schemas/zibaldone";
import { asFailure, sayFailure } from "../failure";
import { sayState } from "../status/say";
import type { Supervisor } from "../sidecar/supervisor";
import { say } from "../words";
import type { DeviceStore } from "./device";
import { writeReport } from "./diagnostics";
import { Changes, describeEditable } from "./editable";
import { describeReport, isWholePath } from "./reported";

/** A report this old is asked for again when the tab is shown. */
const FRESH_MS = 3000;

export class ZibaldoneSettingTab extends PluginSettingTab {
  override icon = "message-square-quote";
  private report: ConfigReport | null = null;
  private status: Status | null = null;
  private askedAt = 0;
  private readonly version: string;
  private readonly changes = new Changes();

  constructor(
    app: App,
    plugin: Plugin,
    private readonly device: DeviceStore,
    private readonly supervisor: Pick<Supervisor, "state" | "subscribe" | "restart">,
  ) {
    super(app, plugin);
    this.version = plugin.manifest.version;
    plugin.register(supervisor.subscribe(() => this.refresh()));
  }

  override getSettingDefinitions(): SettingDefinitionItem[] {
    void this.fetchReport();
    return [
      ...this.describeDevice(),
      {
        name: say("settings.apply"),
        desc: say("settings.apply.desc"),
        visible: () => this.changes.size > 0,
        action: () => void this.apply(),
      },
      ...describeEditable(this.report, this.status),
      {
        type: "group",
        heading: say("settings.privacy"),
        items: [{ name: say("settings.privacy.none"), desc: say("settings.privacy.desc") }],
      },
      {
        type: "group",
        heading: say("settings.diagnostics"),
        items: [
          {
            name: say("settings.diagnostics.copy"),
            desc: say("settings.diagnostics.desc"),
            action: () => void this.copyReport(),
          },
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

  private describeDevice(): SettingDefinitionItem[] {
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
        ],
      },
    ];
  }

  override getControlValue(key: string): unknown {
    const shown = this.changes.shown(key, this.report);
    return shown !== undefined ? shown : this.device.current[key as keyof typeof this.device.current];
  }

  override setControlValue(key: string, value: unknown): void {
    if (this.changes.take(key, value, this.report)) {
      this.refreshDomState();
      return;
    }
    if (key === "zibPath" && typeof value === "string" && isWholePath(value))
      this.device.change({ zibPath: value.trim() });
    if (key === "startAutomatically" && typeof value === "boolean") this.device.change({ startAutomatically: value });
  }

  /** Writes what was changed, and starts the sidecar again so that it holds. */
  private async apply(): Promise<void> {
    const { state } = this.supervisor;
    if (state.kind !== "ready") return;
    try {
      const { warnings } = await state.client.changeConfig(this.changes.all());
      for (const warning of warnings) new Notice(warning);
      this.changes.clear();
      await this.supervisor.restart();
    } catch (error) {
      new Notice(sayFailure(asFailure(error)), 0);
    }
    this.update();
  }

  private async copyReport(): Promise<void> {
    const { state } = this.supervisor;
    let [status, doctor]: [Status | null, DoctorReport | null] = [null, null];
    if (state.kind === "ready") {
      status = await state.client.status().catch(() => null);
      doctor = await state.client.doctor().catch(() => null);
    }
    const around = { plugin: this.version, obsidian: apiVersion, platform: process.platform, language: getLanguage() };
    await this.containerEl.win.navigator.clipboard.writeText(writeReport(around, state, status, doctor));
    new Notice(say("settings.diagnostics.copied"));
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
      [this.report, this.status] = await Promise.all([state.client.config(), state.client.status()]);
      this.update();
    } catch {
      // What is wrong with the sidecar stands in the row above.
    }
  }
}
