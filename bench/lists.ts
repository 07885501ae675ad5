// A1, A2, A4: the bus list and a bus's day against a bare handler that sends the same bytes.
import { listBoard } from '@ridewatch/contract/board';
import {
  databaseUrl,
  type Product,
  sendRecords,
  setUpFleet,
  signIn,
  startProduct,
} from '../harness/product.ts';
import { insertFigures } from './board-data.ts';
import { compareHttp } from './compare-http.ts';
import { type Answer, type LimitPlan, startLimit } from './limits.ts';
import { fetchAnswer } from './load.ts';
import type { Bench, Result } from './measure.ts';
import { FRAGMENTS, fragmentsOf, planOf } from './sample-data.ts';
import { countStatements } from './statements.ts';

const BUSES = 1000;
const CONNECTIONS = 16;
const REQUESTS = 6000;

/** Measures the most frequent answers. */
export const lists: Bench = {
  ids: ['A1', 'A2', 'A4'],
  run: async (isWanted) => {
    const product = await startProduct();
    try {
      const results: Result[] = [];
      for (const one of await prepare(product)) {
        if (isWanted(one.id)) results.push(await measure(product, one));
      }
      return results;
    } finally {
      await product.remove();
    }
  },
};

interface Case {
  readonly id: string;
  readonly what: string;
  readonly target: string;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly limitOf: (answer: Answer) => LimitPlan;
  /** The product's database if each call queries it. */
  readonly database?: string;
}

async function prepare({ url, ...product }: Product): Promise<Case[]> {
  const [first] = await setUpFleet(url, planOf(BUSES));
  if (first === undefined) throw new Error('The fleet has no bus.');
  await insertFigures({ url, ...product });
  const date = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await sendRecords(url, first.credential, fragmentsOf(date));
  const headers = {
    authorization: `Bearer ${await signIn(url, 'admin')}`,
    'accept-encoding': 'gzip',
  };
  const list = '/api/bus_list';
  // While units send, the list is rebuilt every few seconds; here none sends, so its ETag stays.
  const { etag = '' } = (await fetchAnswer(url + list, headers)).headers;
  const database = await databaseUrl({ url, ...product });
  const same = (address: string) => ({
    address,
    headers,
    limitOf: (answer: Answer) => ({ kind: 'answers' as const, answers: { [address]: answer } }),
  });
  return [
    { id: 'A1', what: `bus list of ${BUSES} buses`, target: '≥ 0.5', ...same(list) },
    {
      ...same(list),
      id: 'A2',
      what: 'bus list, not modified',
      target: '≥ 0.6',
      headers: { ...headers, 'if-none-match': etag },
    },
    {
      ...same(listBoard.path),
      id: 'A1',
      what: `figures of ${BUSES} buses`,
      target: '≥ 0.5',
    },
    {
      id: 'A4',
      what: `a day of ${FRAGMENTS} fragments`,
      target: '≥ 0.6',
      address: `/api/segments/day-segments?workplaceId=${first.bus_id}&date=${date}`,
      headers,
      database,
      // Reads the same row by the same key as the product, which checks its cached day by it.
      limitOf: (answer) => ({
        kind: 'row',
        database,
        text: 'select version from bus_days where workplace_id = $1 and day = $2',
        values: [first.bus_id, date],
        answer,
      }),
    },
    {
      id: 'A4',
      what: 'a bus on that day',
      target: '≥ 0.6',
      address: `/api/bus/info/${first.bus_id}?date=${date}`,
      headers,
      database,
      limitOf: (answer) => ({
        kind: 'row',
        database,
        text: 'select id, name from workplaces where id = $1',
        values: [first.bus_id],
        answer,
      }),
    },
    // The answer is cached and rarely queries the database, so the limit is the bare bytes without a row.
    {
      id: 'A4',
      what: 'a bus on that day, ÷ its bytes from memory',
      target: '≥ 0.4',
      ...same(`/api/bus/info/${first.bus_id}?date=${date}`),
    },
  ];
}

async function measure(product: Product, one: Case): Promise<Result> {
  const { id, what, target, address, headers, limitOf, database } = one;
  const url = product.url + address;
  const answer = await fetchAnswer(url, headers);
  const limit = await startLimit(limitOf(answer));
  try {
    const statements = database && { statements: await countStatements(database, url, headers) };
    return await compareHttp({
      row: { id, what, target, counters: { bytes: answer.body.length, ...statements } },
      product,
      limit,
      address,
      headers,
      connections: CONNECTIONS,
      requests: REQUESTS,
    });
  } finally {
    await limit.close();
  }
}
