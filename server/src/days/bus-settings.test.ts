import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { addDays } from '@ridewatch/contract/day';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tx } from '../core/db/db.ts';
import { createTestDatabase, type TestDatabase } from '../test/test-database.ts';
import { type CountSource, listZoneSpans, sourceAt, zoneAt } from './bus-days.ts';
import {
  type BusSettings,
  findSettingsAt,
  findSettingsOn,
  listBusesOfRoute,
  lockBusSettings,
  settingsAt,
  settingsOn,
  writeBusSettings,
} from './bus-settings.ts';
import { findRouteTrackOn } from './route-track.ts';

let database: TestDatabase;
let groups: readonly number[];
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const { id: client_id } = await db
    .insertInto('clients')
    .values({ name: 'Парк', created_at: new Date(0) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rows = await db
    .insertInto('route_groups')
    .values(['1', '2', '3'].map((name) => ({ client_id, name })))
    .returning('id')
    .execute();
  groups = rows.map(({ id }) => id);
});
afterAll(() => database.drop());

interface Row {
  readonly from: string;
  readonly settings: BusSettings;
}

/** The valid settings by the simplest algorithm. */
const settingsOfRows = (rows: readonly Row[], day: string): BusSettings => {
  const ordered = [...rows].sort((a, b) => (a.from < b.from ? -1 : 1));
  const found = ordered.findLast(({ from }) => from <= day) ?? ordered[0];
  return found?.settings ?? UNSET;
};
const UNSET: BusSettings = {
  group_id: null,
  timezone: 'Europe/Moscow',
  terminal_stop_id: null,
  count_source: 'unit',
};

/** Inserts a bus with these settings and rolls back after `work`. */
async function withBus(
  rows: readonly Row[],
  work: (tx: Tx, busId: number) => Promise<void>,
): Promise<void> {
  const tx = await database.db.startTransaction().execute();
  try {
    const { id } = await tx
      .insertInto('workplaces')
      .values({ name: 'Автобус', created_at: new Date(0) })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const { from, settings } of rows) {
      await writeBusSettings(tx, [{ busId: id, day: from, settings }]);
    }
    await work(tx, id);
  } finally {
    await tx.rollback().execute();
  }
}

const inSession = (tx: Tx, zone: string) =>
  sql`select set_config('timezone', ${zone}, true)`.execute(tx);

describe('the settings of a bus on a local day', () => {
  const rowsOf = (...days: readonly string[]): Row[] =>
    days.map((from, index) => ({
      from,
      settings: { ...UNSET, group_id: groups[index] ?? null, timezone: 'Asia/Yekaterinburg' },
    }));
  const groupsOn = async (rows: readonly Row[], days: readonly string[]) => {
    const found: (number | null)[] = [];
    await withBus(rows, async (tx, busId) => {
      for (const day of days) found.push((await findSettingsOn(tx, busId, day)).group_id);
    });
    return found.map((id) => (id === null ? null : groups.indexOf(id)));
  };

  it('are the newest that began on or before the day', async () => {
    const days = ['2026-03-01', '2026-03-09', '2026-03-10', '2026-03-31', '2026-04-01'];
    const found = await groupsOn(rowsOf('2026-03-01', '2026-03-10', '2026-04-01'), days);
    expect(found).toEqual([0, 0, 1, 1, 2]);
  });

  it('are the first ones on the days before them', async () => {
    const found = await groupsOn(rowsOf('2026-03-10', '2026-03-11'), ['2026-03-09', '2001-01-01']);
    expect(found).toEqual([0, 0]);
  });

  it('of a bus that was never given any are the zone of Moscow, no route, and counts of its unit', async () => {
    await withBus([], async (tx, busId) => {
      expect(await findSettingsOn(tx, busId, '2026-03-09')).toEqual(UNSET);
      expect(await findSettingsAt(tx, busId, 0)).toEqual(UNSET);
    });
  });

  it('that are changed from before the first ones on keep what is not changed', async () => {
    await withBus(rowsOf('2026-03-10'), async (tx, busId) => {
      const nowMs = Date.parse('2026-03-20T12:00:00Z');
      const { day, before } = await lockBusSettings(tx, busId, nowMs, '2026-02-01');
      await writeBusSettings(tx, [{ busId, day, settings: { ...before, count_source: 'video' } }]);
      expect(await findSettingsOn(tx, busId, '2026-02-15')).toEqual({
        ...UNSET,
        group_id: groups[0],
        timezone: 'Asia/Yekaterinburg',
        count_source: 'video',
      });
    });
  });
});

describe('whatever settings a bus has had', () => {
  const day = fc.integer({ min: -4, max: 5 }).map((shift) => addDays('2026-03-29', shift));
  const rows = fc.uniqueArray(
    fc.record({
      from: day,
      group: fc.option(fc.nat(2)),
      // Zones on both sides of the date line. On the 29th Beirut has no midnight and Berlin no hour from two to three.
      timezone: fc.constantFrom(
        ...['Europe/Moscow', 'Europe/Berlin', 'America/New_York', 'Asia/Beirut'],
        ...['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kolkata'],
      ),
      count_source: fc.constantFrom<CountSource>('unit', 'video'),
    }),
    { selector: ({ from }) => from, maxLength: 5 },
  );
  const moment = fc.integer({ min: -6 * 24 * 4, max: 7 * 24 * 4 });
  /** A moment near the change to summer time, in quarters of an hour. */
  const momentOf = (quarters: number) => Date.UTC(2026, 2, 29) + quarters * 900_000;
  const session = fc.constantFrom('UTC', 'Pacific/Kiritimati', 'America/Los_Angeles');
  const rowsFrom = (planned: typeof rows extends fc.Arbitrary<infer T> ? T : never): Row[] =>
    planned.map(({ from, group, timezone, count_source }) => ({
      from,
      settings: {
        group_id: group === null ? null : (groups[group] ?? null),
        timezone,
        terminal_stop_id: null,
        count_source,
      },
    }));

  it('a day has those of the rule, in whatever zone the session of the database is', async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.array(day, { minLength: 1 }),
        session,
        async (planned, days, zone) =>
          withBus(rowsFrom(planned), async (tx, busId) => {
            await inSession(tx, zone);
            const bus = sql<number>`${busId}::bigint`;
            const found = await sql<BusSettings>`
            select settings.* from unnest(${days}::date[]) with ordinality as asked (day, number)
            cross join lateral ${settingsOn(bus, sql.ref('asked.day'))} as settings
            order by number`.execute(tx);
            const expected = days.map((one) => settingsOfRows(rowsFrom(planned), one));
            expect(found.rows).toEqual(expected);
          }),
      ),
      { numRuns: 60 },
    );
  });

  it('a moment has those whose day had begun in their zone, as records are given their days', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(rows, fc.array(moment, { minLength: 1 }), session),
        async ([planned, quarters, zone]) =>
          withBus(rowsFrom(planned), async (tx, busId) => {
            await inSession(tx, zone);
            const moments = quarters.map(momentOf);
            const bus = sql<number>`${busId}::bigint`;
            const { rows: found } = await sql<BusSettings>`
              select settings.* from unnest(${moments.map((ms) => new Date(ms))}::timestamptz[])
                with ordinality as asked (moment, number)
              cross join lateral ${settingsAt(bus, sql.ref('asked.moment'))} as settings
              order by number`.execute(tx);
            const spans = await listZoneSpans(tx, busId);
            expect(found.map((one) => [one.timezone, one.count_source])).toEqual(
              moments.map((ms) => [zoneAt(spans, ms), sourceAt(spans, ms)]),
            );
          }),
      ),
      { numRuns: 60 },
    );
  });

  it('the buses of a route are those that have it at the moment', async () => {
    await fc.assert(
      fc.asyncProperty(rows, moment, async (planned, quarters) =>
        withBus(rowsFrom(planned), async (tx, busId) => {
          const ms = momentOf(quarters);
          const { group_id, timezone } = await findSettingsAt(tx, busId, ms);
          for (const group of groups) {
            const expected = group === group_id ? [{ id: busId, timezone }] : [];
            expect(await listBusesOfRoute(tx, group, ms)).toEqual(expected);
          }
        }),
      ),
      { numRuns: 20 },
    );
  });
});

describe('the track of a route on a local day', () => {
  it('is the newest that began on or before the day, and none before the first', async () => {
    const group_id = groups[0] as number;
    const tracks = ['2026-03-01', '2026-03-10'].map((valid_from, latitude) => ({
      group_id,
      valid_from,
      track: JSON.stringify([{ latitude, longitude: 0 }]),
    }));
    await database.db.insertInto('route_tracks').values(tracks).execute();
    const days = ['2026-02-28', '2026-03-01', '2026-03-09', '2026-03-10'];
    const found = days.map((day) => findRouteTrackOn(database.db, group_id, day));
    expect((await Promise.all(found)).map(([first]) => first?.latitude)).toEqual([
      ...[undefined, 0, 0, 1],
    ]);
  });
});

it('the rows of settings are read and written in this room alone', () => {
  const root = path.resolve(import.meta.dirname, '..');
  // Undoing a table names what still refers to an object; it reads no row of it.
  const names = 'administration/import/undo-uses.ts';
  const files = globSync('**/*.ts', { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !/\.test\.ts$|^test\/|\/db-types\.ts$/.test(file))
    .filter((file) => readFileSync(path.join(root, file), 'utf8').includes('workplace_settings'));
  expect(files.sort()).toEqual([names, 'days/bus-days.ts', 'days/bus-settings.ts']);
});
