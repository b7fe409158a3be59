/** `zib init --yes`: makes the vault a git repository, if it is none, and the agent's folder. */
import type { Clock } from "./clock";
import { within } from "./clock";
import { fail, SidecarFailure } from "./failure";
import type { Host } from "./host";
import { parseJson, readError } from "./wire";

/** A first commit of a large folder on a slow disk. */
const INIT_MS = 120_000;

/** Rejects with `SidecarFailure` that says what is in the way. */
export async function initVault(host: Host, program: string, vaultPath: string, clock: Clock): Promise<void> {
  let [said, complained] = ["", ""];
  const child = host.spawn(program, ["init", "--yes", "--json", vaultPath], {
    stdout: (chunk) => (said += new TextDecoder().decode(chunk)),
    stderr: (chunk) => (complained += new TextDecoder().decode(chunk)),
  });
  const slow = (): Error => {
    child.kill();
    return fail("unreachable", "sidecar.slow", { seconds: INIT_MS / 1000 });
  };
  const { code, problem } = await within(clock, INIT_MS, child.ended, slow);
  if (problem !== null) throw fail("zib_missing", "sidecar.unrunnable", { path: program, reason: problem });
  if (code === 0 && parseJson(said) !== undefined) return;
  const error = readError(said);
  throw error
    ? SidecarFailure.from(error)
    : fail("crashed", "sidecar.initFailed", { reason: complained.trim().split("\n").at(-1) ?? "" });
}
