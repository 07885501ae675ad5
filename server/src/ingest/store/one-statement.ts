// The usual batch of a driving unit: some positions for the block of the last ones, and some passengers. One statement,
// which is its own transaction, stores it if nothing has changed since this process stored the unit's last batch, and
// does nothing otherwise. Any other batch takes the long way (store-records.ts), with the same result.
import type pg from 'pg';
import type { Database } from '../../core/db/db.ts';
import type { KnownUnit } from '../../core/viewer.ts';
import { lapsDueBy } from '../../days/due-laps.ts';
import { BLOCK_MS, mergeBlock } from '../../positions/append.ts';
import { countPacked } from '../../positions/pack.ts';
import type { Bounds } from './bounds.ts';
import { fixesOf, lastMovedMs } from './last-fix.ts';
import type { RecordedDays } from './recorded-days.ts';
import { type CheckedRecord, hasPlace, type Sorted, sortRecords } from './records.ts';
import type { SeenUnit, SeenUnits } from './seen-units.ts';
import { toMultirange } from './sequences.ts';
import { hoursOf } from './store-traffic.ts';
import { pointOf } from './stored.ts';
import { numbersOf, numbersWith } from './stream-row.ts';
import { touchedDays } from './touched-days.ts';

/** A named statement is planned once a connection. */
const STATEMENT: Pick<pg.QueryConfig, 'name' | 'text'> = {
  name: 'store_following_batch',
  text: `select store_following_batch(${Array.from({ length: 35 }, (_, n) => `$${n + 1}`).join(', ')}) as stored`,
};

interface FollowingDeps {
  readonly database: Pick<Database, 'pool'>;
  readonly seenUnits: SeenUnits;
  readonly recordedDays: RecordedDays;
  readonly bounds: Bounds;
}

/**
 * Stores a batch by one statement if it is a usual one.
 * @param records each number once
 * @param receivedMs the server's clock at arrival
 * @returns whether it is stored; otherwise nothing of it is
 */
export async function storeFollowing(
  { database, seenUnits, recordedDays, bounds }: FollowingDeps,
  unit: KnownUnit,
  stream: string,
  records: readonly CheckedRecord[],
  receivedMs: number,
): Promise<boolean> {
  const seen = seenUnits.find(unit.unitId);
  if (seen?.stream !== stream || seen.busId !== unit.busId) return false;
  const sorted = sortRecords(records);
  if (records.length === 0 || !isUsual(sorted, seen)) return false;
  const laps = lapsDueBy(touchedDays(sorted, seen.zones.spans, receivedMs), receivedMs);
  if (laps === undefined) return false;
  const points = sorted.positions.filter(hasPlace).map((record) => pointOf(record, seen.streamId));
  if (countPacked(seen.block.bytes) + points.length > bounds.blockPoints) return false;
  const added = numbersOf(records);
  const numbers = numbersWith(seen.numbers, added);
  if (Math.max(numbers.received.most, numbers.unplaced.most) > bounds.streamRanges) return false;
  const block = points.length === 0 ? undefined : mergeBlock(seen.block.bytes, points);
  const fixes = fixesOf(sorted.positions, receivedMs);
  const fix = fixes.at(-1);
  const movedMs = lastMovedMs(fixes);
  const date = (ms: number | undefined): Date | null => (ms === undefined ? null : new Date(ms));
  const { busId } = unit;
  const { hours, days } =
    busId === null ? NO_HOURS : hoursOf(sorted.passengers, seen.zones.spans, seen.shifts.byDay);
  if ([...days].some((day) => day < seen.shifts.fromDay)) return false;
  // The first event of a day creates its record.
  if (busId !== null && !recordedDays.hasAll(busId, days)) return false;
  const column = <T>(pick: (event: Sorted['passengers'][number]) => T): T[] =>
    sorted.passengers.map(pick);
  const { rows } = await database.pool.query<{ stored: boolean }>({
    ...STATEMENT,
    values: [
      ...[unit.unitId, seen.batches, new Date(receivedMs)],
      ...[seen.streamId, toMultirange(added.received), toMultirange(added.unplaced)],
      ...[block && new Date(seen.block.startMs), block?.count],
      ...[date(block?.firstMs), date(block?.lastMs), block?.bytes],
      ...[date(fix?.timeMs), fix?.latitude, fix?.longitude, fix?.course, fix?.speedKmh],
      date(movedMs),
      ...[unit.busId, seen.zones.said, laps.days],
      ...[new Date(laps.watchedMs), new Date(laps.otherMs)],
      column(({ seq }) => seq),
      column(({ sentMs }) => new Date(sentMs)),
      column(({ timeMs }) => new Date(timeMs)),
      column(({ door }) => door),
      column(({ direction }) => direction),
      column(({ passenger }) => passenger),
      column(({ count }) => count),
      hours.map(({ hourMs }) => new Date(hourMs)),
      hours.map((sum) => sum.enteredAdults),
      hours.map((sum) => sum.enteredKids),
      hours.map((sum) => sum.exitedAdults),
      hours.map((sum) => sum.exitedKids),
      [...days],
    ],
  });
  if (rows[0]?.stored !== true) return false;
  seenUnits.keep(unit.unitId, {
    ...seen,
    batches: seen.batches + 1,
    numbers,
    ...(block && { block: { startMs: seen.block.startMs, bytes: block.bytes } }),
  });
  return true;
}

const NO_HOURS: ReturnType<typeof hoursOf> = { hours: [], days: new Set() };

function isUsual(sorted: Sorted, { block }: SeenUnit): boolean {
  if (sorted.cameraStates.length + sorted.announcements.length > 0) return false;
  const endMs = block.startMs + BLOCK_MS;
  return sorted.positions.filter(hasPlace).every(
    // Without a speed, the last fix tells whether the bus moves.
    ({ timeMs, speedKmh }) => timeMs >= block.startMs && timeMs < endMs && speedKmh !== null,
  );
}
