/** Decisions on proposals, one after the other: each is made on what the one before has left. Knows no screen. */
import type { App } from "obsidian";
import type { Decided, Proposal, ProposedFile, ProposedHunk } from "../../../shared-schemas/zibaldone";
import { landHunks } from "../apply/land";
import type { TypingWatch } from "../apply/typing";
import type { SidecarClient } from "../sidecar/client";

/** A part of a proposal: everything, one file, or one hunk, known again by its words. */
export interface Part {
  readonly path?: string;
  readonly hunk?: Pick<ProposedHunk, "old" | "new">;
}

export class Desk {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly app: App,
    private readonly typing: TypingWatch,
    private readonly connect: () => Promise<SidecarClient>,
  ) {}

  /** The last decision, or null where nothing of the part was left. */
  approve(id: number, part: Part = {}): Promise<Decided | null> {
    return this.queue(async (client) => {
      let decided: Decided | null = null;
      let proposal = await client.proposal(id);
      for (const path of proposal.files.map((file) => file.path)) {
        const file = proposal.files.find((one) => one.path === path);
        const hunks = file && chosen(file, part);
        if (!file || !hunks) continue;
        const landed = await landHunks(this.app, this.typing, file, hunks);
        decided = await client.decide(id, "apply", decisionOn(proposal, file, hunks, landed));
        proposal = decided.proposal;
      }
      return decided;
    });
  }

  reject(id: number, part: Part = {}): Promise<Decided | null> {
    return this.queue(async (client) => {
      const proposal = await client.proposal(id);
      if (part.path === undefined) return client.decide(id, "reject", { revision: proposal.revision });
      const file = proposal.files.find((one) => one.path === part.path);
      const hunks = file && chosen(file, part);
      return file && hunks ? client.decide(id, "reject", decisionOn(proposal, file, hunks, false)) : null;
    });
  }

  /** Other words for a hunk; the proposal as it is then. */
  edit(id: number, path: string, hunk: Pick<ProposedHunk, "old" | "new">, text: string): Promise<Proposal> {
    return this.queue(async (client) => {
      const proposal = await client.proposal(id);
      const file = proposal.files.find((one) => one.path === path);
      const [found] = (file && chosen(file, { path, hunk })) ?? [];
      if (!found) return proposal;
      return client.editProposal(id, { path, hunk: found.number, new: text, revision: proposal.revision });
    });
  }

  private queue<T>(act: (client: SidecarClient) => Promise<T>): Promise<T> {
    const done = this.last.then(async () => act(await this.connect()));
    this.last = done.catch(() => undefined);
    return done;
  }
}

function decisionOn(proposal: Proposal, file: ProposedFile, hunks: readonly ProposedHunk[], landed: boolean) {
  return {
    path: file.path,
    hunks: hunks.length === file.hunks.length ? [] : hunks.map(({ number }) => number),
    revision: proposal.revision,
    landed: landed ? [file.path] : [],
  };
}

/** The hunks of a file that a part means; null where it means none. Their numbers change with every decision. */
function chosen(file: ProposedFile, { path, hunk }: Part): ProposedHunk[] | null {
  if (path !== undefined && path !== file.path) return null;
  if (!hunk) return file.hunks;
  const found = file.hunks.find((one) => one.old === hunk.old && one.new === hunk.new);
  return found ? [found] : null;
}
