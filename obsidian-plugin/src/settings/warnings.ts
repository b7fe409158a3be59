/** Says once what the sidecar could not use of its settings: a file that cannot be read, a value that is none. */
import { Notice, type Component } from "obsidian";
import { showHint } from "../hint";
import type { Supervisor } from "../sidecar/supervisor";
import { say } from "../words";

export function tellWarnings(supervisor: Pick<Supervisor, "state" | "subscribe">, owner: Component): void {
  let told = "";
  const look = async (): Promise<void> => {
    const { state } = supervisor;
    if (state.kind !== "ready") return;
    // Where it cannot be asked, that is told as the state.
    const warnings = (await state.client.config().catch(() => null))?.warnings ?? [];
    const text = warnings.join("\n");
    if (warnings.length === 0 || text === told) return;
    told = text;
    const message = createFragment((el) => {
      el.createDiv({ text: say("settings.leftOut") });
      for (const warning of warnings) showHint(el.createDiv({ attr: { dir: "auto" } }), warning, owner);
    });
    const notice = new Notice(message, 0);
    owner.register(() => notice.hide());
  };
  owner.register(supervisor.subscribe(() => void look()));
}
