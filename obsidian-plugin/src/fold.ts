/** Text without case and accents, to be compared. */
export function fold(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.toLowerCase(); // most names, and of many thousands the quick way
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
