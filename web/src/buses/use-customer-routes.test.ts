import { afterAll, beforeAll, expect, it, vi } from 'vitest';

// The session reads local storage when its module loads, so import after the storage is replaced.
let loadRoutes: (signal: AbortSignal) => Promise<readonly { id: number }[]>;
beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('sessionStorage', { getItem: () => null });
  vi.stubGlobal('window', { addEventListener: () => {} });
  ({ loadRoutes } = await import('./use-customer-routes.ts'));
});
afterAll(() => vi.unstubAllGlobals());

const route = (id: number) => ({
  id,
  name: String(id),
  client_id: 1,
  deleted: false,
  type_calculation: 'FIXED',
});
const answer = (ids: number[], total: number) =>
  Response.json({ items: ids.map(route), number: 0, total });
const { signal } = new AbortController();

it('asks once for the routes of all customers', async () => {
  const fetch = vi.fn(async (_address: string) => answer([1, 2], 2));
  vi.stubGlobal('fetch', fetch);
  expect(await loadRoutes(signal)).toHaveLength(2);
  expect(fetch.mock.calls.map(([address]) => address)).toEqual([
    '/api/groups/search?perPage=5000&page=0',
  ]);
});

it('asks for the next page only when there is one', async () => {
  const answers = [answer([1, 2], 3), answer([3], 3)];
  const fetch = vi.fn(async () => answers.shift());
  vi.stubGlobal('fetch', fetch);
  expect((await loadRoutes(signal)).map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(fetch).toHaveBeenCalledTimes(2);
});

it('ends when routes vanish between two pages', async () => {
  const answers = [answer([1], 2), answer([], 1)];
  vi.stubGlobal('fetch', async () => answers.shift());
  expect(await loadRoutes(signal)).toHaveLength(1);
});
