/** Formats ids for the address, ascending, neighbours as a range: `1-20.25`. A thousand ids stay a short link. */
export function idsText(ids: Iterable<number>): string {
  const runs: { from: number; to: number }[] = [];
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.to === id - 1) last.to = id;
    else runs.push({ from: id, to: id });
  }
  return runs.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join('.');
}
