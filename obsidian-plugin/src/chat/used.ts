/** Which entries of the memory a model was told: a line that opens to the list, with what can be done with each. */
import { Component } from "obsidian";
import { asFailure } from "../failure";
import { showFailure } from "../hint";
import { memoryFolder } from "../memory/entries";
import { EntryRow, type MemoryContext } from "../memory/row";
import { sayCount } from "../words";

export class Used extends Component {
  private readonly list: HTMLElement;
  private rows = new Component();

  constructor(
    parent: HTMLElement,
    private readonly ids: readonly string[],
    private readonly parts: MemoryContext,
  ) {
    super();
    const details = parent.createEl("details", { cls: "zibaldone-details zibaldone-used" });
    details.createEl("summary", { text: sayCount("answer.used", ids.length) });
    this.list = details.createEl("ul", { cls: "zibaldone-entries" });
    this.registerDomEvent(details, "toggle", () => {
      if (details.open) void this.showEntries();
    });
  }

  /** As the entries are now; those that were forgotten meanwhile are not there. */
  private async showEntries(): Promise<void> {
    try {
      const client = await this.parts.connect();
      const [memory, config] = await Promise.all([client.memory(true), client.config()]);
      this.clear();
      const byId = new Map([...memory.entries, ...memory.expired].map((entry) => [entry.id, entry]));
      const used = this.ids.flatMap((id) => byId.get(id) ?? []);
      for (const entry of used) this.rows.addChild(new EntryRow(this.list, entry, memoryFolder(config), this.parts));
      const gone = this.ids.length - used.length;
      if (gone > 0) this.list.createEl("li", { text: sayCount("answer.usedGone", gone) });
    } catch (error) {
      this.clear();
      showFailure(this.list.createEl("li"), asFailure(error), this.rows);
    }
  }

  private clear(): void {
    this.removeChild(this.rows);
    this.rows = this.addChild(new Component());
    this.list.empty();
  }
}
