/** A question that this vault can answer: about a note that has something to say, in its own words. Pure. */

export interface Candidate {
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly mtime: number;
}

/** Enough to hold an answer, and no more than one sitting's reading. */
const LEAST = 300;
const MOST = 20_000;
/** Notes that are looked into. */
const MOST_TRIED = 12;
/** A name that says what the note is about: words, and no date. */
const TELLING = /^(?!.*\d{4}-\d{2})(?=.*\p{L}{4}).{4,60}$/u;

/** Notes to ask about, those that were changed last first. */
export function listCandidates(notes: readonly Candidate[], indexed: ReadonlySet<string>): Candidate[] {
  const fitting = notes.filter(
    ({ path, name, size }) => indexed.has(path) && size >= LEAST && size <= MOST && TELLING.test(name),
  );
  return fitting.sort((a, b) => b.mtime - a.mtime || a.path.localeCompare(b.path)).slice(0, MOST_TRIED);
}

/** What a note says something about in so many words: `Fee` of `- Fee: 2,400 €`. */
export function findSubjects(text: string): string[] {
  const lines = text
    .replace(/^---\n.*?\n---\n/s, "")
    .matchAll(/^\s*(?:[-*]\s+)?(?:\*\*)?(\p{L}[\p{L} ]{2,30}):(?:\*\*)?[ \t]+\S/gmu);
  return [...lines].map(([, subject = ""]) => subject.trim());
}
