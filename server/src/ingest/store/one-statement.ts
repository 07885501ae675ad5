// The usual batch of a driving unit: some positions for the block of the last ones, and some passengers. One statement,
// which is its own transaction, stores it if nothing has changed since this process stored the unit's last batch, and
// does nothing otherwise. Any other batch takes the long way (store-records.ts), with the same result.
import type { Database } from '../../core/db/db.ts';
import { lapsDueBy } from '../../days/due-laps.ts';
import { BLOCK_MS, mergeBlock } from '../../positions/append.ts';
import { countPacked, unpackPoints } from '../../positions/pack.ts';
import type { Bounds } from './bounds.ts';
import type { Sender } from './by-bus.ts';
import { fixesOf, lastMovedMs } from './last-fix.ts';
import type { RecordedDays } from './recorded-days.ts';
import { type CheckedRecord, hasPlace, type Sorted, sortRecords } from './records.ts';
import type { SeenUnit, SeenUnits } from './seen-units.ts';
import { toMultirange } from './sequences.ts';
import { hoursOf } from './store-traffic.ts';
import { pointOf } from './stored.ts';
import { numbersOf, numbersWith } from './stream-row.ts';
import { TIMED_STREAM } from './timed-stream.ts';
import { touchedDays } from './touched-days.ts';

const FUNCTION = 'store_following_batch';
/** A named statement is planned once a connection. The batch is one value, of the type `following_batch`. */
const STATEMENT = {
  name: FUNCTION,
  text: `select ${FUNCTION}(json_populate_record(null::following_batch, $1)) as stored`,
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
  { unit, busId }: Sender,
  stream: string,
  records: readonly CheckedRecord[],
  receivedMs: number,
): Promise<boolean> {
  const seen = seenUnits.find(unit.unitId);
  if (seen?.stream !== stream || seen.busId !== busId) return false;
  const sorted = sortRecords(records);
  if (records.length === 0 || !isUsual(sorted, seen)) return false;
  const laps = lapsDueBy(touchedDays(sorted, seen.zones.spans, receivedMs), receivedMs);
  if (laps === undefined) return false;
  const points = sorted.positions.filter(hasPlace).map((record) => pointOf(record, seen.streamId));
  if (countPacked(seen.block.bytes) + points.length > bounds.blockPoints) return false;
  if (stream === TIMED_STREAM && mayBeRepeated(sorted, seen)) return false;
  const added = numbersOf(stream === TIMED_STREAM ? [] : records);
  const numbers = numbersWith(seen.numbers, added);
  if (Math.max(numbers.received.most, numbers.unplaced.most) > bounds.streamRanges) return false;
  const block = points.length === 0 ? undefined : mergeBlock(seen.block.bytes, points);
  const fixes = fixesOf(sorted.positions, receivedMs);
  const fix = fixes.at(-1);
  const movedMs = lastMovedMs(fixes);
  const date = (ms: number | undefined): Date | undefined =>
    ms === undefined ? undefined : new Date(ms);
  const { hours, days } =
    busId === null
      ? NO_HOURS
      : hoursOf(unit.unitId, sorted.passengers, seen.zones.spans, seen.shifts.byDay);
  if ([...days].some((day) => day < seen.shifts.fromDay)) return false;
  // The first event of a day creates its record.
  if (busId !== null && !recordedDays.hasAll(busId, days)) return false;
  const column = <T>(pick: (event: Sorted['passengers'][number]) => T): T[] =>
    sorted.passengers.map(pick);
  const batch = {
    ...{ unit: unit.unitId, seen_batches: seen.batches, received_at: new Date(receivedMs) },
    stream: seen.streamId,
    numbers: toMultirange(added.received),
    unplaced_numbers: toMultirange(added.unplaced),
    ...(block && {
      block: new Date(seen.block.startMs),
      block_count: block.count,
      block_first: date(block.firstMs),
      block_last: date(block.lastMs),
      block_points: `\\x${block.bytes.toString('hex')}`,
    }),
    fix_at: date(fix?.timeMs),
    ...{ latitude: fix?.latitude, longitude: fix?.longitude },
    ...{ course: fix?.course, speed_kmh: fix?.speedKmh },
    moved_at: date(movedMs),
    ...{ bus: busId, zones: seen.zones.said, lap_days_due: laps.days },
    ...{ due_if_watched: new Date(laps.watchedMs), due_by: new Date(laps.otherMs) },
    seqs: column(({ seq }) => seq),
    sent_times: column(({ sentMs }) => new Date(sentMs)),
    times: column(({ timeMs }) => new Date(timeMs)),
    doors: column(({ door }) => door),
    directions: column(({ direction }) => direction),
    passengers: column(({ passenger }) => passenger),
    counts: column(({ count }) => count),
    hours: hours.map(({ hourMs }) => new Date(hourMs)),
    adults_in: hours.map((sum) => sum.enteredAdults),
    kids_in: hours.map((sum) => sum.enteredKids),
    adults_out: hours.map((sum) => sum.exitedAdults),
    kids_out: hours.map((sum) => sum.exitedKids),
    outside_in: hours.map((sum) => sum.enteredOutside),
    outside_out: hours.map((sum) => sum.exitedOutside),
    changed_days: [...days],
  };
  const { rows } = await database.pool.query<{ stored: boolean }>({
    ...STATEMENT,
    values: [JSON.stringify(batch)],
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

// Without remembered numbers, only the block of the last positions tells what is new.
function mayBeRepeated({ passengers, positions }: Sorted, { block, streamId }: SeenUnit): boolean {
  if (passengers.length > 0) return true;
  const stored = new Set(
    unpackPoints(block.bytes)
      .filter((point) => point.streamId === streamId)
      .map(({ seq }) => seq),
  );
  return positions.some(({ seq }) => stored.has(seq));
}

function isUsual(sorted: Sorted, { block }: SeenUnit): boolean {
  if (sorted.cameraStates.length + sorted.announcements.length > 0) return false;
  const endMs = block.startMs + BLOCK_MS;
  return sorted.positions.filter(hasPlace).every(
    // Without a speed, the last fix tells whether the bus moves.
    ({ timeMs, speedKmh }) => timeMs >= block.startMs && timeMs < endMs && speedKmh !== null,
  );
}
