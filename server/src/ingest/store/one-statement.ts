// The usual batch of a driving unit: some positions, mostly for the block of the last ones, and some passengers. One
// statement, which is its own transaction, stores it if nothing has changed since this process stored the unit's last
// batch, and does nothing otherwise. Positions that come late or again are usual, too: the blocks that they touch are read
// before. Any other batch takes the long way (store-records.ts), with the same result.
import { lapsDueBy } from '../../days/due-laps.ts';
import { blockOf, blockStartOf } from '../../positions/append.ts';
import type { StoredPoint } from '../../positions/pack.ts';
import type { Stored } from './batch-figures.ts';
import type { Bounds } from './bounds.ts';
import type { Sender } from './by-bus.ts';
import { isReading } from './counter-readings.ts';
import { findBlocks, type ReadBlocks } from './known-blocks.ts';
import { findPeople, type ReadPeople, samePeople } from './known-people.ts';
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
import type { SeenUnits } from './seen-units.ts';
import { toMultirange } from './sequences.ts';
import type { StoreTogether } from './store-together.ts';
import { hoursOf } from './store-traffic.ts';
import { pointOf, samePoint } from './stored.ts';
import { numbersOf, numbersWith } from './stream-row.ts';
import { TIMED_STREAM } from './timed-stream.ts';
import { touchedDays } from './touched-days.ts';
import type { Upstream } from './upstreams.ts';

interface FollowingDeps {
  readonly storeTogether: StoreTogether;
  readonly readBlocks: ReadBlocks;
  readonly readPeople: ReadPeople;
  readonly seenUnits: SeenUnits;
  readonly recordedDays: RecordedDays;
  readonly bounds: Bounds;
}

interface FollowingBatch {
  /** Each number once, but for those of positions without a fix in the stream of numbers made of times. */
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
  { storeTogether, readBlocks, readPeople, seenUnits, recordedDays, bounds }: FollowingDeps,
  { unit, busId }: Sender,
  stream: string,
  { records: sent, receivedMs, upstreams }: FollowingBatch,
): Promise<Pick<Stored, 'fresh' | 'repeated'> | undefined> {
  const seen = seenUnits.find(unit.unitId);
  if (seen?.stream !== stream || seen.busId !== busId) return undefined;
  const isTimed = stream === TIMED_STREAM;
  if (sent.length === 0 || !sent.every((record) => isUsual(record, unit))) return undefined;
  const times = sent.filter(isPoint).map(({ timeMs }) => timeMs);
  const stored = await findBlocks(readBlocks, unit.unitId, seen.block, times);
  if (stored === undefined) return undefined;
  const parts = isTimed
    ? partByStored(sent, seen.streamId, {
        blocks: stored,
        people: await findPeople(
          readPeople,
          { unitId: unit.unitId, streamId: seen.streamId },
          seen.numbers.lastPeople,
          sent,
        ),
      })
    : { fresh: sent, repeated: [] };
  if (parts === undefined) return undefined;
  const records = parts.fresh;
  const sorted = sortRecords(records);
  const laps = lapsDueBy(touchedDays(sorted, seen.zones.spans, receivedMs), receivedMs);
  const points = sorted.positions.filter(hasPlace).map((record) => pointOf(record, seen.streamId));
  const blocks = blocksOf(points, stored);
  if (blocks.some(({ count }) => count > bounds.blockPoints)) return undefined;
  const added = numbersOf(isTimed ? [] : records);
  const lastPeople = Math.max(
    seen.numbers.lastPeople,
    ...(isTimed ? sorted.passengers.map(({ seq }) => seq) : []),
  );
  const numbers = { ...numbersWith(seen.numbers, added), lastPeople };
  if (Math.max(numbers.received.most, numbers.unplaced.most) > bounds.streamRanges)
    return undefined;
  const block = blocks.find(({ startMs }) => startMs === seen.block.startMs);
  const fixes = fixesOf(sorted.positions, receivedMs, isTimed);
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
    blocks: blocks
      .filter((one) => one !== block)
      .map(({ startMs, ...one }) => ({
        ...{ unit: unit.unitId, start: new Date(startMs), count: one.count },
        ...{ first: new Date(one.firstMs), last: new Date(one.lastMs) },
        points: digitsOf(one.bytes),
      })),
    pastDays: busId === null ? [] : laps.pastDays,
    pastDue: new Date(laps.pastMs),
    queued: source === undefined ? [] : queueRows(source, sorted, upstreams, receivedMs),
  });
  if (!isStored) return undefined;
  const last = blocks.findLast(({ startMs }) => startMs >= seen.block.startMs);
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

// The blocks of new points with what they hold already, the latest last.
function blocksOf(
  points: readonly StoredPoint[],
  stored: ReadonlyMap<number, readonly StoredPoint[]>,
) {
  return [...Map.groupBy(points, (point) => blockStartOf(point.sentMs + point.offsetMs))]
    .map(([startMs, added]) => ({
      startMs,
      ...blockOf([...(stored.get(startMs) ?? []), ...added]),
    }))
    .sort((a, b) => a.startMs - b.startMs);
}

const NO_HOURS: ReturnType<typeof hoursOf> = { hours: [], days: new Set() };

// Stored records tell, without remembered numbers, which ones are repeats. Undefined when only the long way knows.
function partByStored(
  records: readonly CheckedRecord[],
  streamId: number,
  stored: {
    readonly blocks: ReadonlyMap<number, readonly StoredPoint[]>;
    readonly people: Awaited<ReturnType<typeof findPeople>>;
  },
): Pick<Stored, 'fresh' | 'repeated'> | undefined {
  const [fresh, repeated]: [CheckedRecord[], CheckedRecord[]] = [[], []];
  let firstSeq = Number.POSITIVE_INFINITY;
  for (const { seq } of records) firstSeq = Math.min(firstSeq, seq);
  const points = new Map<number, StoredPoint>();
  for (const point of [...stored.blocks.values()].flat()) {
    const { offsetMs, seq } = point;
    // A point that lies elsewhere than its time says was sent by a wrong clock, and kept aside before it was placed.
    const isAsSent = offsetMs === 0 && point.streamId === streamId;
    if (isAsSent && seq >= firstSeq) points.set(seq, point);
  }
  for (const record of records) {
    const point = isPoint(record) ? points.get(record.seq) : undefined;
    const people = record.type === 'passenger' ? stored.people.get(record.seq) : undefined;
    const isSame =
      (point !== undefined && isPoint(record) && samePoint(point, pointOf(record, streamId))) ||
      (people !== undefined && record.type === 'passenger' && samePeople(people, record));
    if (isSame) repeated.push(record);
    else if (point === undefined && people === undefined) fresh.push(record);
    else return undefined;
  }
  return { fresh, repeated };
}

const isPoint = (record: CheckedRecord): record is PlacedRecord =>
  record.type === 'position' && hasPlace(record);

// Without a speed, the last fix tells whether the bus moves; it is none of a bus in which the unit sat before.
function isUsual(record: CheckedRecord, { assignedFromMs }: Sender['unit']): boolean {
  if (record.type === 'passenger') return !isReading(record);
  if (record.type !== 'position') return false;
  return !hasPlace(record) || (record.speedKmh !== null && record.timeMs >= assignedFromMs);
}
