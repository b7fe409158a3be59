/** A test that opens Obsidian, does something in it, and leaves nothing behind. */
import { expect, test } from "vitest";
import { type Obsidian, open, type Options, reasonToSkip } from "./driver";

const skipped = reasonToSkip() !== null;
const MINUTE = 60_000;

interface FlowOptions extends Options {
  skip?: boolean;
  minutes?: number;
}

/** Every flow must end with no process that had to be killed or is left, and no error that nobody caught. */
export function flow(name: string, options: FlowOptions, run: (obsidian: Obsidian) => Promise<void>): void {
  const { skip = false, minutes = 2, ...opened } = options;
  test.skipIf(skipped || skip)(name, { timeout: minutes * MINUTE }, async ({ onTestFinished }) => {
    const obsidian = await open(opened);
    onTestFinished(async () => void (await obsidian.close())); // also where the time is up
    try {
      await run(obsidian);
    } catch (error) {
      console.error(await obsidian.describeFailure(name));
      throw error;
    }
    const { errors } = await obsidian.page.evaluate(() => window.harness);
    expect(errors).toEqual([]);
    expect(await obsidian.close()).toEqual({ killed: 0, left: [] });
  });
}
