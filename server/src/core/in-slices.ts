import { setImmediate } from 'node:timers/promises';

/**
 * Does work item by item, and lets the event loop serve other requests between slices.
 * @param atOnce items of a slice: a millisecond or two of work
 * @throws whatever `work` throws
 */
export async function inSlices<Item>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item, index: number) => void,
): Promise<void> {
  let index = 0;
  for (const item of items) {
    if (index > 0 && index % atOnce === 0) await setImmediate();
    work(item, index);
    index += 1;
  }
}
