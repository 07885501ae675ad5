// A3: the position of a bus, which every page that follows a bus requests each second.
import { setTimeout as pause } from 'node:timers/promises';
import { databaseUrl, sendRecords, setUpFleet, signIn, startProduct } from '../harness/product.ts';
import { compareHttp } from './compare-http.ts';
import { startLimit } from './limits.ts';
import { fetchAnswer } from './load.ts';
import type { Bench } from './measure.ts';
import { planOf } from './sample-data.ts';
import { statementsDuring } from './statements.ts';

const FOLLOWED = 100;
const SECONDS = 10;
const CONNECTIONS = 16;
const REQUESTS = 6000;

/** Measures this call, and its cost in the database while many buses are followed. */
export const positions: Bench = {
  ids: ['A3'],
  run: async () => {
    const product = await startProduct();
    try {
      const units = await setUpFleet(product.url, planOf(FOLLOWED));
      for (const { credential } of units) {
        const time = new Date().toISOString();
        const fix = { type: 'position', time, latitude: 55.75, longitude: 37.62, speed_kmh: 29 };
        await sendRecords(product.url, credential, [fix]);
      }
      const headers = {
        authorization: `Bearer ${await signIn(product.url, 'admin')}`,
        'accept-encoding': 'gzip',
      };
      const addresses = units.map(({ bus_id }) => `/api/gps?busId=${bus_id}`);
      const [address = ''] = addresses;
      const database = await databaseUrl(product);
      // The server's own statements in the same time, mostly laps of the sent records.
      const others = await statementsDuring(database, () => pause(SECONDS * 1000));
      const polls = await statementsDuring(database, () =>
        follow(addresses.map((one) => product.url + one)),
      );
      const answer = await fetchAnswer(product.url + address, headers);
      const limit = await startLimit({ kind: 'answers', answers: { [address]: answer } });
      try {
        const statements =
          Math.round((Math.max(polls - others, 0) / (FOLLOWED * SECONDS)) * 10) / 10;
        const what = `position of a bus; statements a poll of ${FOLLOWED} buses`;
        const row = { id: 'A3', what, target: '≥ 0.6', counters: { statements } };
        const load = { headers, connections: CONNECTIONS, requests: REQUESTS };
        return [await compareHttp({ row, product, limit, address, ...load })];
      } finally {
        await limit.close();
      }

      async function follow(urls: readonly string[]): Promise<void> {
        for (let second = 0; second < SECONDS; second += 1) {
          const next = pause(1000);
          await Promise.all(urls.map((url) => fetchAnswer(url, headers)));
          await next;
        }
      }
    } finally {
      await product.remove();
    }
  },
};
