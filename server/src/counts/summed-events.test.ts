// A day is read as sums, so that a unit that sends nonsense by the million delays nobody and fills no memory.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findDayBounds, listZoneSpans } from '../days/bus-days.ts';
import { sumPeople, sumRecords } from '../figures/hours.ts';
import { addIngest } from '../ingest/http/api.ts';
import { ensurePartitions } from '../ingest/store/partitions.ts';
import { insertTestBus, insertTestFleet, type TestBus } from '../test/fleet.ts';
import { sendRecords } from '../test/laps.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { listEffectiveEvents } from './day-events.ts';
import { sumHours } from './hours.ts';
import { listShifts } from './shifts.ts';
import { listEffectiveSums } from './summed-events.ts';

const DAY = '2026-03-17';
const START = `${DAY}T00:00:00Z`;
const EVENTS = 150_000;
const NOW_MS = Date.parse(START) + 24 * 3_600_000;
const time = (minute: number): string =>
  new Date(Date.parse(START) + minute * 60_000).toISOString();

let server: TestServer;
let bus: TestBus;
beforeAll(async () => {
  server = await createTestServer([addIngest]);
  server.clock.set(NOW_MS);
  const { db, pool } = server.deps.database;
  const { first } = await insertTestFleet(db);
  // Half an hour off the hours of UTC.
  bus = await insertTestBus(db, first, randomUUID(), 'Asia/Kolkata');
  await ensurePartitions(db, pool, 'passenger_events', [Date.parse(START)]);
  await sql`insert into passenger_events (unit_id, stream_id, workplace_id, seq, sent_time, time, door, direction,
      passenger, count)
    select ${bus.unitId}, 1, ${bus.busId}, n, at, at, 1 + n % 2, case when n % 3 = 0 then 'entered' else 'exited' end,
      case when n % 7 = 0 then 'child' else 'adult' end, 1 + n % 2
    from generate_series(1, ${EVENTS}::int) as n
    cross join lateral (select ${START}::timestamptz + n * interval '300 ms' as at) as moment`.execute(
    db,
  );
  // Two fragments that overlap, both counted by hand, the second one over the end of the shift.
  const fragments = [37, 74].map((minute) => ({
    ...{ type: 'segment', camera: 'door1', video: 'kept', time: time(minute + 50) },
    ...{ start_time: time(minute), end_time: time(minute + 50) },
  }));
  await sendRecords(server.app, bus, fragments, NOW_MS);
  await sql`insert into manual_counts (segment_id, entered, exited_kids, updated_by, updated_at)
    select segments.id, 7, 2, users.id, created_at from segments, (select min(id) as id from users) as users`.execute(
    db,
  );
  await sql`insert into calculations (workplace_id, day, shift_end)
    values (${bus.busId}, ${DAY}, ${START}::timestamptz + interval '100 minutes 7 seconds')`.execute(
    db,
  );
});
afterAll(() => server.close());

it('sums of a day with 150,000 events are some hundred, and give the same hours as the events', async () => {
  const { db } = server.deps.database;
  const zones = await listZoneSpans(db, bus.busId);
  const shifts = await listShifts(db, bus.busId, DAY, DAY);
  const bounds = await findDayBounds(db, bus.busId, DAY);
  const sums = await listEffectiveSums(db, { busId: bus.busId, day: DAY, ...bounds }, shifts);
  const events = await listEffectiveEvents(db, bus.busId, bounds.startMs, bounds.endMs);
  expect(events.length).toBeGreaterThan(EVENTS / 2);
  expect(sums.length).toBeLessThan(500);
  expect(sumHours(sums, zones, shifts)).toEqual(sumHours(events, zones, shifts));
});

it('what manual counts add to such a day is what they replace within the shift', async () => {
  const { db } = server.deps.database;
  const zones = await listZoneSpans(db, bus.busId);
  const bounds = await findDayBounds(db, bus.busId, DAY);
  const day = { busId: bus.busId, day: DAY, ...bounds };
  const { rows } = await sql<{ entered: number; exited: number }>`
    select 14 - sum(count) filter (where direction = 'entered' and passenger = 'adult') as entered,
      4 - sum(count) filter (where direction = 'exited' and passenger = 'child') as exited
    from passenger_events where workplace_id = ${bus.busId} and door = 1
      and time >= ${START}::timestamptz + interval '37 minutes'
      and time < ${START}::timestamptz + interval '124 minutes'`.execute(db);
  const { enteredManual, exitedManual } = sumPeople(await sumRecords(db, day, zones));
  expect({ entered: enteredManual, exited: exitedManual }).toEqual(rows[0]);
});
