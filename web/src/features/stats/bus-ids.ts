import { MAX_BUS_IDS } from '@ridewatch/contract/stat-limits';

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
