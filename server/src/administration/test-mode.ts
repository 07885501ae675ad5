// The test mode of a unit. Its records are stored with the unit and without the bus, so that no count, hour, lap or
// statistic has them; positions from its beginning on are in no lap. The release gives them to the bus.
import { sql } from 'kysely';
import type { Administered, UnitRow } from '../access/administration.ts';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { rebuildHours } from '../counts/rebuild-hours.ts';
import { bumpDays, createDayFinder, listZoneSpans } from '../days/bus-days.ts';
import { createDayRecords } from '../days/day-records.ts';
import { requestLaps } from '../days/due-laps.ts';

const HOUR_MS = 3_600_000;
/** Delay of the laps, ms: a user looks at a release at once. */
const EDIT_WAIT_MS = 1000;

/**
 * Begins or ends the test mode of a unit; nothing happens when it is so already.
 * @throws AppError conflict when somebody else has changed the unit
 */
export async function changeTestMode(
  tx: Tx,
  actor: Actor,
  unit: Administered<UnitRow>,
  { version, test }: { readonly version: number; readonly test: boolean },
): Promise<void> {
  const { rows } = await sql<{ version: number; since: Date | null }>`
    select row_version as version, test_since as since from units
    where id = ${unit.id} for no key update`.execute(tx);
  const [stored] = rows;
  if (stored?.version !== version) {
    const message = 'Somebody else has changed this meanwhile.';
    throw new AppError('conflict', message, { field: 'version' });
  }
  if ((stored.since !== null) === test) return;
  // Whoever stored the unit's last batch knows the mode of before; another number of batches makes it read again.
  await sql`update units set test_since = ${test ? new Date(actor.atMs) : null},
    row_version = row_version + 1, batches = batches + 1 where id = ${unit.id}`.execute(tx);
  const days = stored.since === null ? [] : await release(tx, unit, stored.since, actor.atMs);
  await insertAudit(tx, actor, {
    action: 'set_test_mode',
    objectType: 'unit',
    objectId: unit.id,
    before: { test: !test },
    after: { test, ...(days.length > 0 && { days }) },
  });
}

async function release(
  tx: Tx,
  { id, busId }: UnitRow,
  since: Date,
  nowMs: number,
): Promise<string[]> {
  const { rows: hours } = await sql<{ hour: Date }>`
    with released as (
      update passenger_events set workplace_id = ${busId}, in_test = false
      where unit_id = ${id} and in_test returning time
    )
    select distinct date_trunc('hour', time) as hour from released`.execute(tx);
  if (busId === null) return [];
  const localDay = createDayFinder(await listZoneSpans(tx, busId));
  // A local day may begin within an hour of UTC.
  const daysOf = (startMs: number, endMs: number) => [localDay(startMs).day, localDay(endMs).day];
  const eventDays = [
    ...new Set(hours.flatMap(({ hour }) => daysOf(hour.getTime(), hour.getTime() + HOUR_MS - 1))),
  ].sort();
  const { rows: blocks } = await sql<{ first: Date; last: Date }>`
    select min(first_time) as first, max(last_time) as last from position_blocks
    where unit_id = ${id} and last_time >= ${since}
    group by date_trunc('hour', block_start)`.execute(tx);
  const days = new Set(eventDays);
  for (const { first, last } of blocks) {
    for (const day of daysOf(Math.max(first.getTime(), since.getTime()), last.getTime())) {
      days.add(day);
    }
  }
  const ordered = [...days].sort();
  await createDayRecords(
    tx,
    eventDays.map((day) => ({ busId, day })),
    nowMs,
  );
  await requestLaps(tx, busId, ordered, { nowMs, waitMs: EDIT_WAIT_MS });
  await rebuildHours(tx, busId, eventDays);
  await bumpDays(tx, busId, ordered);
  return ordered;
}
