// The usual batch of a driving unit: some positions for the block of the last ones, and some passengers. One statement,
// which is its own transaction, stores it if nothing has changed since this process stored the unit's last batch, and
// does nothing otherwise. Any other batch takes the long way (store-records.ts), with the same result.
import { lapsDueBy } from '../../days/due-laps.ts';
import { BLOCK_MS, blockOf, blockStartOf, type MergedBlock } from '../../positions/append.ts';
import { type StoredPoint, unpackPoints } from '../../positions/pack.ts';
import type { Stored } from './batch-figures.ts';
import type { Bounds } from './bounds.ts';
import type { Sender } from './by-bus.ts';
import { isReading } from './counter-readings.ts';
import { fixesOf, lastMovedMs } from './last-fix.ts';
import { queueRows } from './queue-out.ts';
import type { RecordedDays } from './recorded-days.ts';
import {
  type CheckedRecord,
  hasPlace,
  type PlacedRecord,
  type Sorted,
  sortRecords,
} from './records.ts';
import type { SeenUnit, SeenUnits } from './seen-units.ts';
import { toMultirange } from './sequences.ts';
import type { StoreTogether } from './store-together.ts';
import { hoursOf } from './store-traffic.ts';
import { pointOf, samePoint } from './stored.ts';
import { numbersOf, numbersWith } from './stream-row.ts';
import { TIMED_STREAM } from './timed-stream.ts';
import { touchedDays } from './touched-days.ts';
import type { Upstream } from './upstreams.ts';

/** Blocks of positions that a usual batch begins: an hour and a half. */
const MOST_NEW_BLOCKS = 18;

interface FollowingDeps {
  readonly storeTogether: StoreTogether;
  readonly seenUnits: SeenUnits;
  readonly recordedDays: RecordedDays;
  readonly bounds: Bounds;
}

interface FollowingBatch {
  /** Each number once. */
  readonly records: readonly CheckedRecord[];
  /** The server's clock at arrival, ms since 1970 UTC. */
  readonly receivedMs: number;
  /** They get what is stored. */
  readonly upstreams: readonly Upstream[];
}

/**
 * Stores a batch by one statement if it is a usual one.
 * @returns its records by whether they were stored before; undefined: nothing of it is stored
 */
export async function storeFollowing(
  { storeTogether, seenUnits, recordedDays, bounds }: FollowingDeps,
  { unit, busId }: Sender,
  stream: string,
  { records: sent, receivedMs, upstreams }: FollowingBatch,
): Promise<Pick<Stored, 'fresh' | 'repeated'> | undefined> {
  const seen = seenUnits.find(unit.unitId);
  if (seen?.stream !== stream || seen.busId !== busId) return undefined;
  const isTimed = stream === TIMED_STREAM;
  const stored = unpackPoints(seen.block.bytes);
  const parts = isTimed ? partByBlock(sent, stored, seen.streamId) : { fresh: sent, repeated: [] };
  if (parts === undefined) return undefined;
  const records = parts.fresh;
  const sorted = sortRecords(records);
  if (sent.length === 0 || !isUsual(sorted, seen)) return undefined;
  const laps = lapsDueBy(touchedDays(sorted, seen.zones.spans, receivedMs), receivedMs);
  if (laps === undefined) return undefined;
  const points = sorted.positions.filter(hasPlace).map((record) => pointOf(record, seen.streamId));
  if (stored.length + points.length > bounds.blockPoints) return undefined;
  const added = numbersOf(isTimed ? [] : records);
  const numbers = numbersWith(seen.numbers, added);
  if (Math.max(numbers.received.most, numbers.unplaced.most) > bounds.streamRanges)
    return undefined;
  const { block, begun } = blocksOf(points, seen.block.startMs, stored);
  const fixes = fixesOf(sorted.positions, receivedMs);
  const fix = fixes.at(-1);
  const movedMs = lastMovedMs(fixes);
  const date = (ms: number | undefined): Date | undefined =>
    ms === undefined ? undefined : new Date(ms);
  const { hours, days } =
    busId === null
      ? NO_HOURS
      : hoursOf(unit.unitId, sorted.passengers, seen.zones.spans, seen.shifts.byDay);
  if ([...days].some((day) => day < seen.shifts.fromDay)) return undefined;
  // The first event of a day creates its record.
  if (busId !== null && !recordedDays.hasAll(busId, days)) return undefined;
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
      block_points: digitsOf(block.bytes),
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
  const source = busId === null ? undefined : { unitId: unit.unitId, busId };
  const isStored = await storeTogether({
    ...{ unitId: unit.unitId, busId, batch },
    blocks: begun.map(({ startMs, ...one }) => ({
      ...{ unit: unit.unitId, start: new Date(startMs), count: one.count },
      ...{ first: new Date(one.firstMs), last: new Date(one.lastMs) },
      points: digitsOf(one.bytes),
    })),
    queued: source === undefined ? [] : queueRows(source, sorted, upstreams, receivedMs),
    isWithoutAside: isTimed && sorted.passengers.length > 0,
  });
  if (!isStored) return undefined;
  const last = begun.at(-1) ?? (block && { startMs: seen.block.startMs, bytes: block.bytes });
  const { isNewest } = seen.block;
  seenUnits.keep(unit.unitId, {
    ...seen,
    batches: seen.batches + 1,
    numbers,
    ...(last && { block: { startMs: last.startMs, bytes: last.bytes, isNewest } }),
  });
  return parts;
}

/** As the database reads bytes. */
const digitsOf = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

// The block of the last positions with new ones, if there are any for it, and the blocks that begin, the latest last.
function blocksOf(
  points: readonly StoredPoint[],
  lastStartMs: number,
  stored: readonly StoredPoint[],
): { block: MergedBlock | undefined; begun: (MergedBlock & { readonly startMs: number })[] } {
  const byStart = Map.groupBy(points, (point) => blockStartOf(point.sentMs + point.offsetMs));
  const own = byStart.get(lastStartMs);
  byStart.delete(lastStartMs);
  return {
    block: own && blockOf(stored.concat(own)),
    begun: [...byStart]
      .map(([startMs, added]) => ({ startMs, ...blockOf(added) }))
      .sort((a, b) => a.startMs - b.startMs),
  };
}

const NO_HOURS: ReturnType<typeof hoursOf> = { hours: [], days: new Set() };

// The block of the last positions tells, without remembered numbers, which of them are there; a block that begins has none.
// The key of people tells them: what is there fails the statement. Undefined when only the long way knows.
function partByBlock(
  records: readonly CheckedRecord[],
  stored: readonly StoredPoint[],
  streamId: number,
): Pick<Stored, 'fresh' | 'repeated'> | undefined {
  const [fresh, repeated]: [CheckedRecord[], CheckedRecord[]] = [[], []];
  const known = new Map(
    stored.filter((point) => point.streamId === streamId).map((point) => [point.seq, point]),
  );
  for (const record of records) {
    if (isReading(record)) return undefined;
    const point = record.type === 'position' ? known.get(record.seq) : undefined;
    if (point === undefined) fresh.push(record);
    else if (isPoint(record) && samePoint(point, pointOf(record, streamId))) repeated.push(record);
    else return undefined;
  }
  return { fresh, repeated };
}

const isPoint = (record: CheckedRecord): record is PlacedRecord =>
  record.type === 'position' && hasPlace(record);

function isUsual(sorted: Sorted, { block }: SeenUnit): boolean {
  if (sorted.cameraStates.length + sorted.announcements.length > 0) return false;
  const mostMs = block.startMs + BLOCK_MS * (block.isNewest ? 1 + MOST_NEW_BLOCKS : 1);
  return sorted.positions.filter(hasPlace).every(
    // Without a speed, the last fix tells whether the bus moves.
    ({ timeMs, speedKmh }) => timeMs >= block.startMs && timeMs < mostMs && speedKmh !== null,
  );
}
