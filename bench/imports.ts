// N1: the largest tables of administration, checked, written, changed and undone; N2: how the memory of the server grows.
import { MOST_IMPORT_ROWS } from '@ridewatch/contract/admin-import';
import { ask, type Product, queryOf, signIn, startProduct } from '../harness/product.ts';
import { type Bench, ofBudget, type Result } from './measure.ts';
import { residentBytes } from './processes.ts';

const BUSES = 5000;
const USERS = 2000;
/** Longest time of a table, s. */
const MOST_SECONDS = 20;
const MIB = 2 ** 20;
/** Growth of memory, MiB: a table is 5,000 rows of texts with their plan and their audit rows, or 50,000 without. */
const MOST_GROWTH = 250;
const SAMPLE_EVERY_MS = 50;

interface Written {
  readonly created: number;
  readonly changed: number;
  readonly import_id: number | null;
}

/** Measures loading tables. */
export const imports: Bench = {
  ids: ['N1', 'N2'],
  run: async (isWanted) => {
    const product = await startProduct();
    try {
      const { results, growth } = await loadAll(product);
      const most = Math.max(...growth);
      const memory = {
        id: 'N2',
        what: 'memory of the server while tables are loaded',
        unit: 'MiB',
      };
      return [...results, ofBudget(memory, most, MOST_GROWTH)].filter(({ id }) => isWanted(id));
    } finally {
      await product.remove();
    }
  },
};

async function loadAll(product: Product): Promise<{ results: Result[]; growth: number[] }> {
  const token = await signIn(product.url, 'admin');
  const post = <T>(path: string, body: object) => ask<T>(product.url, token, 'POST', path, body);
  await post('/api/admin/customers', { name: 'Парк' });
  const load = (kind: string, columns: string[], rows: string[][]) =>
    post<Written>('/api/admin/import', { kind, heading: 1, file: `${kind}.xlsx`, columns, rows });
  const buses = (seats: string) =>
    load(
      'buses',
      ['name', 'client', 'group', 'capacity_seated', 'device_id'],
      Array.from({ length: BUSES }, (_, at) => [
        `Б ${at}`,
        'Парк',
        `м${at % 50}`,
        seats,
        `RW-${at}`,
      ]),
    );
  const users = () =>
    load(
      'users',
      ['login', 'role', 'client'],
      Array.from({ length: USERS }, (_, at) => [`u-${at}`, 'customer', 'Парк']),
    );
  const results: Result[] = [];
  const growth: number[] = [];
  const measure = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const before = await residentBytes(product.pid());
    let most = before;
    const sampling = setInterval(async () => {
      most = Math.max(most, await residentBytes(product.pid()));
    }, SAMPLE_EVERY_MS);
    const beganMs = performance.now();
    const answer = await work();
    const seconds = Math.round((performance.now() - beganMs) / 100) / 10;
    clearInterval(sampling);
    growth.push(Math.round((most - before) / MIB));
    results.push(ofBudget({ id: 'N1', what, unit: 's' }, seconds, MOST_SECONDS));
    return answer;
  };
  const made = await measure(`${BUSES} buses with units created`, () => buses('30'));
  const changed = await measure(`${BUSES} buses changed`, () => buses('31'));
  await measure(`${BUSES} buses left alone`, () => buses('31'));
  const moved = await measure(`${BUSES} buses moved to other routes and zones`, () =>
    load(
      'buses',
      ['name', 'group', 'timezone'],
      Array.from({ length: BUSES }, (_, at) => [`Б ${at}`, `м${(at + 1) % 50}`, 'Asia/Omsk']),
    ),
  );
  await measureCheck(product, token, measure);
  const links = await measure(`${USERS} users with links created`, users);
  for (const [what, { import_id }] of Object.entries({
    [`${BUSES} moved buses undone`]: moved,
    [`${BUSES} changed buses undone`]: changed,
    [`${BUSES} created buses undone`]: made,
    [`${USERS} created users undone`]: links,
  })) {
    const path = `/api/admin/imports/${import_id}/undo`;
    const answer = await measure(what, () => post<{ undone: boolean }>(path, {}));
    if (!answer.undone) throw new Error(`${what}: ${JSON.stringify(answer)}`);
  }
  return { results, growth };
}

/** Checks as many rows as a table has, of cameras that are stored: every other one would change. */
async function measureCheck(
  product: Product,
  token: string,
  measure: <T>(what: string, work: () => Promise<T>) => Promise<T>,
): Promise<void> {
  const post = <T>(path: string, body: object) => ask<T>(product.url, token, 'POST', path, body);
  const { id: client } = await post<{ id: number }>('/api/admin/customers', { name: 'Депо' });
  const bus = { name: 'Депо 1', client_ids: [client], timezone: 'Europe/Moscow' };
  const { id } = await post<{ id: number }>('/api/admin/buses', bus);
  await queryOf(
    product,
    `insert into cameras (workplace_id, name, stream_id)
     select $1, 'Дверь ' || n, 's' || n from generate_series(1, $2::int) as n`,
    [id, MOST_IMPORT_ROWS],
  );
  const columns = ['bus', 'name', 'stream_id', 'client', 'door', 'live', 'counts', 'enabled'];
  const rows = Array.from({ length: MOST_IMPORT_ROWS }, (_, at) => [
    ...['Депо 1', `Дверь ${at + 1}`, `s${at + 1}`, 'Депо', '', '', ''],
    at % 2 === 0 ? 'нет' : 'да',
  ]);
  const what = `${MOST_IMPORT_ROWS} stored cameras checked, half of them different`;
  const { changes } = await measure(what, () =>
    post<{ changes: number }>('/api/admin/import/check', {
      ...{ kind: 'cameras', heading: 1, columns, rows },
    }),
  );
  if (changes !== MOST_IMPORT_ROWS / 2) throw new Error(`${what}: ${changes}`);
}
