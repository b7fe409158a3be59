/** Commands that a hint names, as they work in a terminal that knows neither where the program nor where the vault is. */
export interface CommandLine {
  readonly platform: string;
  /** Absolute. */
  readonly vault: string;
  /** The program that was found last; null: none so far. */
  program(): string | null;
}

let line: CommandLine | null = null;

/** `main` says once what there is to put in; null: commands stay as they are. */
export function useCommandLine(now: CommandLine | null): void {
  line = now;
}

/** Whether it is one of ours and does nothing else: sentences hold names of notes, and a name can look like a command. */
export function isCommand(text: string): boolean {
  return /^(?:zib\s|scripts\/|\.venv\/)[\w\s./:@"'<>=-]*$/.test(text);
}

/** `zib doctor` with program and vault put in; another command as it is. */
export function typed(command: string): string {
  const program = line?.program();
  if (!line || !program || !/^zib\s/.test(command) || !isCommand(command)) return command;
  const vault = /\s--vault\b/.test(command) ? "" : ` --vault ${quote(line.vault, line.platform)}`;
  const start = quote(program, line.platform);
  // PowerShell takes a quoted word at the start for a text, unless it is told to call it.
  const call = line.platform === "win32" && start !== program ? `& ${start}` : start;
  return call + vault + command.slice("zib".length);
}

/** As one word, for PowerShell on Windows and for a POSIX shell elsewhere. */
function quote(word: string, platform: string): string {
  if (platform === "win32") return /^[\w:.\\/-]+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`;
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
