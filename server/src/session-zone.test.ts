// Answers depend on the zones of the buses, not on the time zone of the database session.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listBusRows } from './buses/rows.ts';
import type { Tx } from './core/db/db.ts';
import { loadKeys } from './core/signing-keys.ts';
import type { Viewer } from './core/viewer.ts';
import { writeBusSettings } from './days/bus-settings.ts';
import { listWaiting } from './manual-counts/queue.ts';
import { findMergeAnswer } from './merges/merge-list.ts';
import { insertTestBus, insertTestFleet, type TestBus } from './test/fleet.ts';
import { insertTestMerge } from './test/merge.ts';
import { insertStoredFragment } from './test/stored-fragment.ts';
import { createTestServer, type TestServer } from './test/test-deps.ts';

const ADMIN: Viewer = {
  ...{ userId: 1, sessionId: '1', login: 'admin', role: 'ADMIN', clientId: null },
  clientIds: 'all',
  canEdit: true,
  viewedBy: null,
};
/** Just before the bus's zone changes: the 21st begins in Vladivostok at 14:00 UTC. */
const BEFORE_MS = Date.parse('2026-11-20T13:30:00Z');
const AFTER_MS = Date.parse('2026-11-20T14:30:00Z');
const expected = ['Europe/Moscow', 'Asia/Vladivostok'];

let server: TestServer;
let bus: TestBus;
let client: number;
beforeAll(async () => {
  server = await createTestServer([]);
  const { db } = server.deps.database;
  client = (await insertTestFleet(db)).first;
  bus = await insertTestBus(db, client, 'Автобус 30', 'Europe/Moscow');
  await writeBusSettings(db, [
    {
      ...{ busId: bus.busId, day: '2026-11-21' },
      settings: {
        group_id: bus.routeId,
        timezone: 'Asia/Vladivostok',
        terminal_stop_id: null,
        count_source: 'unit',
      },
    },
  ]);
});
afterAll(() => server.close());

describe.each(['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles'])(
  'while sessions are in the zone %s',
  (zone) => {
    const inSession = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      server.deps.database.db.transaction().execute(async (tx) => {
        await sql`select set_config('timezone', ${zone}, true)`.execute(tx);
        return work(tx);
      });

    it('a fragment that waits for review has the zone in which its bus was when it began', async () => {
      const { db } = server.deps.database;
      const ids: number[] = [];
      for (const startMs of [BEFORE_MS, AFTER_MS]) {
        ids.push(await insertStoredFragment(server, bus, { startMs, lengthMs: 20_000 }));
      }
      await db
        .updateTable('segments')
        .set({ max_objects_count: 9 })
        .where('id', 'in', ids)
        .execute();
      const question = { after: undefined, from: undefined, size: 10 };
      const { items } = await inSession((tx) => listWaiting(tx, ADMIN, question));
      await db.deleteFrom('segments').where('id', 'in', ids).execute();
      const zoneOf = (id: number) => items.find((one) => one.segment_id === id)?.timezone;
      expect(ids.map(zoneOf)).toEqual(expected);
    });

    it('a merge has the zone in which its bus was when it begins', async () => {
      const { db } = server.deps.database;
      const nowMs = AFTER_MS + 60_000;
      const question = { keys: await loadKeys(db, 'video', nowMs), nowMs, filesDays: 7 };
      const zones: string[] = [];
      for (const ms of [BEFORE_MS, AFTER_MS]) {
        const id = await insertTestMerge(db, bus, client, { at: new Date(ms) });
        const merge = await inSession((tx) => findMergeAnswer(tx, ADMIN, id, question));
        zones.push(merge.timezone);
      }
      expect(zones).toEqual(expected);
    });

    it('the bus list has the zone in which a bus is now', async () => {
      const zones = await inSession(async (tx) => {
        const lists = [
          await listBusRows(tx, ADMIN, BEFORE_MS),
          await listBusRows(tx, ADMIN, AFTER_MS),
        ];
        return lists.map((rows) => rows.find(({ id }) => id === bus.busId)?.timezone);
      });
      expect(zones).toEqual(expected);
    });
  },
);
