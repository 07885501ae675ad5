// This version opens a data folder and a backup of an older one: the version before effective hours.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hash } from '@node-rs/argon2';
import type { BusInfo } from '@ridewatch/contract/buses';
import { dayRange } from '@ridewatch/contract/day';
import type { DayFragments } from '@ridewatch/contract/fragments';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueUnitCredential } from '../auth/accounts.ts';
import { addAuth } from '../auth/api.ts';
import { addBusDay } from '../bus-day/api.ts';
import { addBuses } from '../buses/api.ts';
import { readConfig } from '../core/config.ts';
import { type Db, listMigrations, migrate } from '../core/db/db.ts';
import { migrateJobs } from '../core/jobs/jobs.ts';
import { type HourSum, NO_PEOPLE } from '../counts/hours.ts';
import { listHours } from '../figures/hours.ts';
import { rebuildHoursJob } from '../figures/rebuild-job.ts';
import { settleDaysJob } from '../figures/settle-job.ts';
import { addIngest } from '../ingest/http/api.ts';
import { openStorage } from '../storage/open.ts';
import { recountHours } from '../test/recount.ts';
import { createTestDatabase, type TestDatabase } from '../test/test-database.ts';
import { createTestServer, PASSWORD, type TestServer } from '../test/test-deps.ts';
import { writeBackup } from './backup.ts';
import { restoreBackup } from './restore.ts';

const LAST_MIGRATION_OF_THEN = '0025-slow-days.sql';
const NOW_MS = Date.parse('2026-11-22T12:00:00Z');
/** Buses in Moscow and in Kolkata, where hours begin at half past. */
const [MOSCOW_BUS, KOLKATA_BUS] = [1, 2];
const DAYS = ['2026-11-20', '2026-11-21'] as const;

// Rows as that version wrote them: the hours are sums of events, without manual counts.
const rowsOfThen = (passwordHash: string): string => `
  insert into clients (id, name, created_at) values (100, 'Парк', '2026-11-01');
  insert into users (id, login, password_hash, role, created_at)
    values (1, 'admin', '${passwordHash}', 'ADMIN', '2026-11-01');
  insert into route_groups (client_id, name) values (100, '7');
  insert into workplaces (name, created_at) values ('Автобус 1', '2026-11-01'), ('Автобус 2', '2026-11-01');
  insert into workplace_clients values (1, 100), (2, 100);
  insert into workplace_settings (workplace_id, valid_from, group_id, timezone)
    values (1, '2010-01-01', 1, 'Europe/Moscow'), (2, '2010-01-01', null, 'Asia/Kolkata');
  insert into units (device_id, workplace_id, created_at) values ('u1', 1, '2026-11-01'), ('u2', 2, '2026-11-01');
  insert into cameras (workplace_id, name, stream_id, door) values (1, 'Дверь', 'door1', 1), (2, 'Дверь', 'door1', 1);
  insert into unit_streams (unit_id, stream, created_at)
    values (1, gen_random_uuid(), '2026-11-01'), (2, gen_random_uuid(), '2026-11-01');
  create table passenger_events_2026_11 partition of passenger_events
    for values from ('2026-11-01 00:00:00+00') to ('2026-12-01 00:00:00+00');
  insert into passenger_events
    (unit_id, stream_id, workplace_id, seq, sent_time, time, door, direction, passenger, count)
    select bus, bus, bus, seq, time::timestamptz, time::timestamptz, door, direction, passenger, people
    from (values
      (1, 1, '2026-11-20 04:10Z', 1, 'entered', 'adult', 3),
      (1, 2, '2026-11-20 04:20Z', 1, 'entered', 'child', 1),
      (1, 3, '2026-11-20 04:40Z', 2, 'exited', 'child', 1),
      (1, 4, '2026-11-20 05:05Z', 1, 'exited', 'adult', 2),
      (1, 5, '2026-11-20 21:05Z', 1, 'entered', 'adult', 2),
      (2, 1, '2026-11-20 18:45Z', 1, 'entered', 'adult', 4)
    ) as seen (bus, seq, time, door, direction, passenger, people);
  insert into hourly_traffic values
    (1, '2026-11-20 04:00Z', 3, 1, 0, 1), (1, '2026-11-20 05:00Z', 0, 0, 2, 0),
    (1, '2026-11-20 21:00Z', 2, 0, 0, 0), (2, '2026-11-20 18:30Z', 4, 0, 0, 0);
  insert into bus_days (workplace_id, day) values (1, '2026-11-20'), (1, '2026-11-21'), (2, '2026-11-21');
  insert into segments (camera_id, unit_id, stream_id, seq, sent_start, sent_end, start_time, end_time,
      status, status_at, created_at)
    select 1, 1, 1, 9 + n, start, stop, start, stop, 'PROCESSED', stop, stop
    from (values (1, '2026-11-20 04:00Z'::timestamptz, '2026-11-20 04:30Z'::timestamptz),
      (2, '2026-11-20 20:50Z', '2026-11-20 21:10Z')) as t (n, start, stop);
  -- Five adults instead of three; and one who got off in a fragment that runs over midnight.
  insert into manual_counts (segment_id, entered, exited, updated_by, updated_at)
    values (1, 5, null, 1, '2026-11-21'), (2, null, 1, 1, '2026-11-21');`;

const hour = (time: string, counts: Partial<HourSum>): HourSum => ({
  hourMs: Date.parse(time),
  unitId: 1,
  ...NO_PEOPLE,
  ...counts,
});
const EFFECTIVE_HOURS: Readonly<Record<number, readonly HourSum[]>> = {
  [MOSCOW_BUS]: [
    hour('2026-11-20T04:00:00Z', {
      enteredAdults: 5,
      enteredKids: 1,
      exitedKids: 1,
      enteredManual: 2,
    }),
    hour('2026-11-20T05:00:00Z', { exitedAdults: 2 }),
    hour('2026-11-20T20:00:00Z', { exitedAdults: 1, exitedManual: 1 }),
    hour('2026-11-20T21:00:00Z', { enteredAdults: 2 }),
  ],
  [KOLKATA_BUS]: [hour('2026-11-20T18:30:00Z', { unitId: 2, enteredAdults: 4 })],
};

async function createDatabaseOfThen(): Promise<TestDatabase> {
  const database = await createTestDatabase('template1');
  const all = await listMigrations();
  await migrate(
    database.url,
    all.filter((name) => name <= LAST_MIGRATION_OF_THEN),
  );
  await database.pool.query(rowsOfThen(await hash(PASSWORD)));
  return database;
}

async function openDataFolder(): Promise<TestDatabase> {
  const database = await createDatabaseOfThen();
  const applied = await migrate(database.url);
  expect(applied).toContain('0026-effective-hours.sql');
  return database;
}

async function restoreBackupOfThen(): Promise<TestDatabase> {
  const source = await createDatabaseOfThen();
  const folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-older-'));
  const storage = (name: string) =>
    openStorage(readConfig({ DATA_DIR: path.join(folder, name), LOG_LEVEL: 'silent' }));
  const backup = path.join(folder, 'backup');
  const { migrations } = await writeBackup(source.url, await storage('then'), backup, NOW_MS);
  expect(migrations.at(-1)).toBe(LAST_MIGRATION_OF_THEN);
  await source.drop();
  const database = await createTestDatabase('template1');
  await restoreBackup(database.url, await storage('now'), backup);
  await rm(folder, { recursive: true, force: true });
  return database;
}

describe.each([
  ['a data folder', openDataFolder],
  ['a backup', restoreBackupOfThen],
])('%s from before effective hours were kept', (_name, open) => {
  let server: TestServer;
  let db: Db;
  let headers: Record<string, string>;
  beforeAll(async () => {
    const database = await open();
    await migrateJobs(database.url);
    const features = [addAuth, addIngest, addBuses, addBusDay];
    server = await createTestServer(features, {}, database);
    server.clock.set(NOW_MS);
    db = database.db;
    headers = { authorization: `Bearer ${await server.signIn('admin')}` };
  });
  afterAll(() => server.close());

  const dayOf = async (busId: number, day: string): Promise<DayFragments> => {
    const url = `/api/segments/day-segments?workplaceId=${busId}&date=${day}`;
    const answer = await server.app.inject({ url, headers });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json();
  };
  const busyHours = ({ events }: DayFragments) =>
    events
      .flatMap((unit) => unit.events)
      .filter(({ entered, exited }) => entered !== 0 || exited !== 0)
      .map(({ start_time, entered, exited }) => [start_time, entered, exited]);
  const hoursOf = (busId: number) => listHours(db, busId, ...DAYS);
  const expectRightHours = async () => {
    for (const busId of [MOSCOW_BUS, KOLKATA_BUS]) {
      expect(await hoursOf(busId)).toEqual(EFFECTIVE_HOURS[busId]);
      expect(await recountHours(db, busId)).toEqual(EFFECTIVE_HOURS[busId]);
    }
  };

  it('shows its days with what was counted by hand', async () => {
    const day = await dayOf(MOSCOW_BUS, '2026-11-20');
    expect(day).toMatchObject({
      totalEntered: 4,
      totalExited: 3,
      totalEnteredManual: 6,
      totalExitedManual: 4,
      entered: { adult: 5, kids: 1 },
      exited: { adult: 3, kids: 1 },
    });
    expect(busyHours(day)).toEqual([
      ['2026-11-20T04:00:00.000Z', 6, 1],
      ['2026-11-20T05:00:00.000Z', 0, 2],
      ['2026-11-20T20:00:00.000Z', 0, 1],
    ]);
    expect(
      day.segments.map(({ entered_manual, exited_manual }) => [
        entered_manual.adult,
        exited_manual.adult,
      ]),
    ).toEqual([
      [5, null],
      [null, 1],
    ]);
    expect(busyHours(await dayOf(MOSCOW_BUS, '2026-11-21'))).toEqual([
      ['2026-11-20T21:00:00.000Z', 2, 0],
    ]);
    expect(busyHours(await dayOf(KOLKATA_BUS, '2026-11-21'))).toEqual([
      ['2026-11-20T18:30:00.000Z', 4, 0],
    ]);
  });

  it('shows its buses with what is valid for them', async () => {
    const url = `/api/bus/info/${MOSCOW_BUS}?date=2026-11-20`;
    const info = (await server.app.inject({ url, headers })).json<BusInfo>();
    const { startMs } = dayRange('2026-11-20', 'Europe/Moscow');
    expect(info).toMatchObject({
      timezone: 'Europe/Moscow',
      group: { name: '7', track: [] },
      day_start: new Date(startMs).toISOString(),
    });
  });

  it('has the right hours at once, and keeps them when they have been rebuilt', async () => {
    await expectRightHours();
    const job = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };
    await rebuildHoursJob(server.deps).run({}, job);
    const { rows } = await sql`select from stale_hours`.execute(db);
    expect(rows).toEqual([]);
    await expectRightHours();
  });

  it('has its days settled for statistics', async () => {
    const job = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };
    await settleDaysJob(server.deps).run({}, job);
    const { rows } = await sql<{ busId: number; people: number }>`
      select workplace_id as "busId", sum(entered_adults + entered_kids + exited_adults + exited_kids)::int as people
      from day_traffic group by 1 having sum(heard) > 0 order by 1`.execute(db);
    const peopleOf = (busId: number): number =>
      (EFFECTIVE_HOURS[busId] ?? []).reduce(
        (sum, { enteredAdults, enteredKids, exitedAdults, exitedKids }) =>
          sum + enteredAdults + enteredKids + exitedAdults + exitedKids,
        0,
      );
    const buses = [MOSCOW_BUS, KOLKATA_BUS].sort((a, b) => a - b);
    expect(rows).toEqual(buses.map((busId) => ({ busId, people: peopleOf(busId) })));
  });

  it('goes on counting', async () => {
    const credential = await issueUnitCredential(db, 1, NOW_MS);
    const answer = await server.app.inject({
      method: 'POST',
      url: '/unit/v1/batches',
      headers: { authorization: `Bearer ${credential}` },
      body: {
        stream: randomUUID(),
        sent_at: new Date(NOW_MS).toISOString(),
        // The first time is within a fragment whose manual count of five adults stays.
        records: ['2026-11-20T04:25:00Z', '2026-11-20T06:30:00Z'].map((time, seq) => ({
          ...{ type: 'passenger', seq, time, door: 1 },
          ...{ direction: 'entered', passenger: 'adult', count: 2 },
        })),
      },
    });
    expect(answer.json()).toMatchObject({ acknowledged: [[0, 1]] });
    const [first, second, ...others] = EFFECTIVE_HOURS[MOSCOW_BUS] as readonly HourSum[];
    const added = hour('2026-11-20T06:00:00Z', { enteredAdults: 2 });
    // The counter has now seen two more of the five adults.
    const counted = { ...first, enteredManual: 0 };
    expect(await hoursOf(MOSCOW_BUS)).toEqual([counted, second, added, ...others]);
    expect(await dayOf(MOSCOW_BUS, '2026-11-20')).toMatchObject({
      totalEntered: 8,
      totalEnteredManual: 8,
    });
  });
});
