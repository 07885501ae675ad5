// The hours of silence of settled days are what the records say, in whatever order they came.

import { randomUUID } from 'node:crypto';
import { addDays, dayOf, dayRange, formatMoment } from '@ridewatch/contract/day';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { addIngest } from '../ingest/http/api.ts';
import { insertTestBus, insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { passengerRecord, runLapsJob, sendRecords } from '../test/laps.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { triesOf } from '../test/tries-of.ts';
import { rebuildHoursJob } from './rebuild-job.ts';
import { closeDaysJob, settleDaysJob } from './settle-job.ts';

const ZONE = 'Europe/Berlin';
const FIRST_DAY = '2026-03-02';
const WEEKS = 8;
/** After the last day. */
const NOW_MS = Date.parse('2026-05-02T12:00:00Z');
const HOUR_MS = 3_600_000;
const job = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };

let server: TestServer;
let fleet: TestFleet;
beforeAll(async () => {
  server = await createTestServer([addIngest]);
  server.clock.set(NOW_MS);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());

it.each([
  ['settled', 'unsettled_days', 'day_traffic', settleDaysJob],
  ['rebuilt', 'stale_hours', 'hourly_traffic', rebuildHoursJob],
] as const)(
  'a bus whose days cannot be %s does not delay the days of another',
  async (_, waiting, written, jobOf) => {
    const { db } = server.deps.database;
    const [broken, sound] = [
      await insertTestBus(db, fleet.first, randomUUID(), ZONE),
      await insertTestBus(db, fleet.first, randomUUID(), ZONE),
    ];
    const error = vi.spyOn(server.deps.log, 'error').mockImplementation(() => undefined);
    for (const bus of [broken, sound]) {
      const ms = dayRange(FIRST_DAY, ZONE).startMs;
      await sendRecords(server.app, bus, [passengerRecord(ms, 'entered')], NOW_MS);
      await sql`delete from hourly_traffic where workplace_id = ${bus.busId}`.execute(db);
    }
    await sql`alter table ${sql.table(written)} add constraint broken
    check (workplace_id <> ${sql.lit(broken.busId)}) not valid`.execute(db);
    try {
      for (const bus of [broken, sound]) {
        await db.insertInto(waiting).values({ workplace_id: bus.busId, day: FIRST_DAY }).execute();
      }
      await jobOf(server.deps).run({}, job);
      const left = await db.selectFrom(waiting).select('workplace_id').execute();
      expect(left).toEqual([{ workplace_id: broken.busId }]);
      expect(error).toHaveBeenCalledOnce();
    } finally {
      await sql`alter table ${sql.table(written)} drop constraint broken`.execute(db);
      error.mockRestore();
    }
    await jobOf(server.deps).run({}, job);
    expect(await db.selectFrom(waiting).select('workplace_id').execute()).toEqual([]);
  },
);

/** Mostly the same weekdays, so that they are compared; the clocks change on the 29th of March. */
const day = fc
  .tuple(fc.nat(WEEKS - 1), fc.constantFrom(0, 0, 0, 1, 6))
  .map(([week, weekday]) => addDays(FIRST_DAY, 7 * week + weekday));
const batch = fc.array(fc.tuple(day, fc.nat(22)), { minLength: 1, maxLength: 6 });
type Sent = typeof batch extends fc.Arbitrary<infer T> ? T : never;

it('hours of silence are those between records and the usual ones of the weekday, whatever came first', async () => {
  const { db } = server.deps.database;
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 3, maxLength: 8 }), async (batches) => {
      const bus = await insertTestBus(db, fleet.first, randomUUID(), ZONE);
      for (const some of batches) {
        await sendRecords(
          server.app,
          bus,
          some.map(([on, hour]) => passengerRecord(momentOf(on, hour), 'entered')),
          NOW_MS,
        );
        await settleAll(bus.busId);
      }
      expect(await listSilence(bus.busId)).toEqual(recount(batches.flat()));
      await forgetHours(bus.busId);
      await rebuildHoursJob(server.deps).run({}, job);
      // Weeks that are rebuilt together know of each other.
      expect(await db.selectFrom('unsettled_days').select('day').execute()).toEqual([]);
      expect(await listSilence(bus.busId)).toEqual(recount(batches.flat()));
    }),
    { numRuns: triesOf(6), endOnFailure: true },
  );
}, 60_000);

function listSilence(busId: number) {
  return server.deps.database.db
    .selectFrom('day_traffic')
    .select(['day', 'heard_hours', 'silent_hours'])
    .where('workplace_id', '=', busId)
    .where((eb) => eb.or([eb('heard_hours', '>', 0), eb('silent_hours', '>', 0)]))
    .orderBy('day')
    .execute();
}

/** As if nothing of all days had been settled; a shift, without anybody in it, does not make a unit silent. */
async function forgetHours(busId: number): Promise<void> {
  const { db } = server.deps.database;
  await sql`update day_traffic set heard = 0, heard_hours = 0, silent_hours = 0
    where workplace_id = ${busId}`.execute(db);
  await sql`insert into calculations (workplace_id, day, shift_end)
    select ${busId}::bigint, day, day::timestamptz from day_traffic where workplace_id = ${busId}
    on conflict (workplace_id, day) do update set shift_end = excluded.shift_end`.execute(db);
  await sql`insert into stale_hours (workplace_id, day)
    select workplace_id, day from day_traffic where workplace_id = ${busId}`.execute(db);
}

const momentOf = (on: string, hour: number): number => dayRange(on, ZONE).startMs + hour * HOUR_MS;

async function settleAll(busId: number): Promise<void> {
  const { db } = server.deps.database;
  const due = await db
    .selectFrom('lap_days')
    .select('day')
    .where('workplace_id', '=', busId)
    .where('due_at', 'is not', null)
    .execute();
  for (const row of due) await runLapsJob(server.deps, { busId, day: row.day });
  await closeDaysJob(server.deps).run({}, job);
  await settleDaysJob(server.deps).run({}, job);
}

function recount(sent: Sent) {
  const clockOf = (ms: number): number => Number(formatMoment(ms, ZONE, 'H'));
  const heard = new Map<string, Set<number>>();
  for (const [on, hour] of sent) {
    const ms = momentOf(on, hour);
    const local = dayOf(ms, ZONE);
    heard.set(local, (heard.get(local) ?? new Set()).add(clockOf(ms)));
  }
  const rows: { day: string; heard_hours: number; silent_hours: number }[] = [];
  for (let on = FIRST_DAY; dayRange(on, ZONE).endMs <= NOW_MS; on = addDays(on, 1)) {
    const { startMs, endMs } = dayRange(on, ZONE);
    const own = [...(heard.get(on) ?? [])];
    const usual = [7, 14, 21, 28].flatMap((ago) => [...(heard.get(addDays(on, -ago)) ?? [])]);
    const silent = new Set<number>();
    for (let ms = startMs; ms < endMs; ms += HOUR_MS) {
      const hour = clockOf(ms);
      const isBetween = own.some((one) => one < hour) && own.some((one) => one > hour);
      if (!own.includes(hour) && (isBetween || usual.includes(hour))) silent.add(hour);
    }
    if (own.length + silent.size === 0) continue;
    rows.push({ day: on, heard_hours: own.length, silent_hours: silent.size });
  }
  return rows;
}
