/** What went wrong, in words: of an error, or of what a server answers instead. */
export function inWords(problem: unknown): string {
  if (typeof problem === 'object' && problem !== null && 'message' in problem) return String(problem.message);
  return String(problem);
}
