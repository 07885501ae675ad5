// A database that is slow ends a statement of many batches by its limit. Each is tried alone then, and that must end, too:
// the senders have long sent again.
import { afterEach, expect, it, vi } from 'vitest';
import { createStoreTogether, type UsualBatch } from './store-together.ts';

const BATCHES = 20;
/** The limit of a statement, and the time of one batch, ms. */
const LIMIT_MS = 10_000;
const ALONE_MS = 2000;

const batchOf = (unitId: number): UsualBatch => ({
  ...{ unitId, busId: unitId, batch: { unit: unitId }, blocks: [], queued: [] },
  ...{ pastDays: [], pastDue: new Date(0) },
});

afterEach(() => vi.restoreAllMocks());

it('of many batches that a slow database stores one by one, the last ones are refused for now', async () => {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const query = ({ values: [batches = ''] }: { readonly values: readonly string[] }) => {
    const isOfMany = (JSON.parse(batches) as unknown[]).length > 1;
    nowMs += isOfMany ? LIMIT_MS : ALONE_MS;
    if (!isOfMany) return Promise.resolve({ rows: [] });
    return Promise.reject(Object.assign(new Error('canceling statement'), { code: '57014' }));
  };
  const store = createStoreTogether({ pool: { query } as never });
  const results = await Promise.allSettled(
    Array.from({ length: BATCHES }, (_, unit) => store(batchOf(unit + 1))),
  );
  // Two statements begin at once with a batch each; of those that share the third, three go alone within five seconds.
  expect(results.map(({ status }) => status)).toEqual(
    results.map((_, n) => (n < 5 ? 'fulfilled' : 'rejected')),
  );
});
