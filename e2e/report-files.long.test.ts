// A report of many rows: it survives a kill, and a reader who takes his time holds nobody up.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Report } from '@ridewatch/contract/reports';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertManyEvents } from '../harness/many-events.ts';
import { plainFleet } from '../harness/plain-fleet.ts';
import {
  ask,
  databaseUrl,
  type Product,
  setUpFleet,
  signIn,
  startProduct,
  waitFor,
} from '../harness/product.ts';

const BUSES = 20;
const ROWS_A_BUS = 25_000;
const DAYS = 25;
const range = { from: '2026-01-01', to: '2026-01-25' };
const MADE_LIMIT_MS = 240_000;

let product: Product;
let token: string;

beforeAll(async () => {
  product = await startProduct();
  await setUpFleet(product.url, plainFleet({ buses: BUSES, cameras: 1 }));
  await insertManyEvents(product, ROWS_A_BUS, DAYS);
  token = await signIn(product.url, 'admin');
});
afterAll(() => product?.remove());

const find = (id: number): Promise<Report> =>
  ask<Report>(product.url, token, 'GET', `/api/reports/${id}`);

it('a report goes on after the server was killed, and its file is whole', async () => {
  const body = { parameters: { kind: 'test-export', ...range }, format: 'csv' };
  const { id } = await ask<Report>(product.url, token, 'POST', '/api/reports', body);
  await waitFor(async () => (await find(id)).progress > 0, 'the report to begin');
  expect(await find(id)).toMatchObject({ status: 'PROCESS', download: null });
  await product.kill();
  await product.restart();
  await waitFor(async () => (await find(id)).status !== 'PROCESS', 'the report', MADE_LIMIT_MS);
  const report = await find(id);
  expect(report).toMatchObject({ status: 'COMPLETE', rows: BUSES * ROWS_A_BUS, progress: 100 });
  const file = await fetch(product.url + report.download);
  const bytes = Buffer.from(await file.arrayBuffer());
  expect(bytes).toHaveLength(report.size_bytes ?? 0);
  expect(`${bytes}`.split('\r\n')).toHaveLength(1 + BUSES * ROWS_A_BUS + 1);
  expect(await readdir(path.join(product.dataDir, 'media/.incoming'))).toEqual([]);
});

it('a reader who stops reading holds neither a statement nor a transaction of the database', async () => {
  const address = `/api/stat/test-export?${new URLSearchParams(range)}`;
  const leaving = new AbortController();
  const { body } = await fetch(product.url + address, {
    headers: { authorization: `Bearer ${token}` },
    signal: leaving.signal,
  });
  const reader = body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  const client = new pg.Client({ connectionString: await databaseUrl(product) });
  await client.connect();
  try {
    // A second without a statement: the buffers are full, and nothing is read ahead of the reader.
    const isIdle = async (): Promise<boolean> => {
      const { rows } = await client.query(
        `select from pg_stat_activity where query like '%from passenger_events%' and pid <> pg_backend_pid()
          and (state <> 'idle' or state_change > clock_timestamp() - interval '1 second')`,
      );
      return rows.length === 0;
    };
    await waitFor(isIdle, 'the reading to stop');
    await ask(product.url, token, 'GET', '/api/bus_list');
  } finally {
    leaving.abort();
    await client.end();
  }
});
