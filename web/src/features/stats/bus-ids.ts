import { MAX_BUS_IDS } from '@ridewatch/contract/stat-limits';

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

/**
 * Reads the ids of an address; what is no id is left out.
 * @returns at most one more than a call takes, so that a typed range costs no memory and is refused all the same
 */
export function idsOf(text: string): number[] {
  const ids = new Set<number>();
  for (const part of text.split('.')) {
    const [from, to = from] = part.split('-').map(Number);
    if (!isId(from) || !isId(to)) continue;
    for (let id = from; id <= to && ids.size <= MAX_BUS_IDS; id++) ids.add(id);
  }
  return [...ids];
}

const isId = (value: number | undefined): value is number =>
  value !== undefined && Number.isSafeInteger(value) && value > 0;
