// The one writer of units' records, for every protocol. A batch is one transaction under the unit's lock: records,
// rollup and received numbers commit together, and only then the protocol acknowledges. Whether killed, sent twice,
// late or out of order: each record is stored exactly once.
import { dayOf } from '@ridewatch/contract/day';
import type { Tx } from '../../core/db/db.ts';
import { checkRoom } from '../../core/disk.ts';
import { AppError, hasErrorCode } from '../../core/errors.ts';
import type { KnownUnit } from '../../core/viewer.ts';
import { changeHours } from '../../counts/rebuild-hours.ts';
import { listShifts, NO_SHIFTS } from '../../counts/shifts.ts';
import { bumpDays, readZones, zoneAt } from '../../days/bus-days.ts';
import { createDayRecords } from '../../days/day-records.ts';
import { requestLaps } from '../../days/due-laps.ts';
import type { Deps } from '../../deps.ts';
import { appendPositions, type OpenBlocks, openBlocks } from '../../positions/append.ts';
import { checkDays } from './batch-days.ts';
import { type BatchFigures, countRecords } from './batch-figures.ts';
import { BOUNDS, type Bounds } from './bounds.ts';
import { listCameraIds } from './camera-ids.ts';
import { keepLastFix } from './last-fix.ts';
import { storeFollowing } from './one-statement.ts';
import { otherContent, partUsable } from './part-usable.ts';
import { makePartitions } from './partitions.ts';
import { createRecordedDays, type RecordedDays } from './recorded-days.ts';
import {
  type CheckedRecord,
  hasPlace,
  type Sorted,
  type StoreRefusal,
  sortRecords,
} from './records.ts';
import { denseRefusal, partByRoom, sentMsOfPoints } from './room.ts';
import { createSeenUnits, type KnownShifts, type SeenUnit, type SeenUnits } from './seen-units.ts';
import { includesSequence, rangesOf, type SequenceRanges } from './sequences.ts';
import { insertAnnouncements } from './store-fragments.ts';
import { hoursOf, insertCameraStates, insertPassengers, type Source } from './store-traffic.ts';
import { findOtherContent, pointOf } from './stored.ts';
import { addNumbers, type KnownNumbers, lockStream } from './stream-row.ts';
import { touchedDays } from './touched-days.ts';
import { createTurns } from './turns.ts';

const ATTEMPTS = 3;
/** Within this time the process learns that a unit was moved, s. */
const MOVED_S = 3;

/** The result of a batch. */
export interface StoreAnswer {
  /** Ranges of numbers that are stored durably. */
  readonly acknowledged: SequenceRanges;
  readonly refused: readonly StoreRefusal[];
  readonly figures: Omit<BatchFigures, 'dropped'>;
}

/**
 * Stores a batch of one stream of a unit.
 * @param receivedMs the server's clock at arrival
 * @param backlogFromMs time of the oldest record that the unit still has to send, ms since 1970 UTC; null: none;
 *   undefined: it did not say
 * @throws AppError too_many_days; the database's error when nothing was stored; the unit retries
 */
export type StoreRecords = (
  unit: KnownUnit,
  stream: string,
  records: readonly CheckedRecord[],
  receivedMs: number,
  backlogFromMs?: number | null,
) => Promise<StoreAnswer>;

/** The writer of one process. */
export interface RecordStore {
  /**
   * Validates and stores a batch in its unit's turn.
   * @throws AppError unavailable when the disk is full; too_many_attempts or unavailable when earlier batches of the
   *   unit take long; whatever `work` throws
   */
  inTurn<T>(unitId: number, work: () => Promise<T>): Promise<T>;
  /** To be called within the unit's turn. */
  readonly store: StoreRecords;
}

type WriteDeps = Pick<Deps, 'database'> & {
  readonly seenUnits: SeenUnits;
  readonly recordedDays: RecordedDays;
  readonly bounds: Bounds;
};

/** Makes the writer of one process. */
export function createRecordStore(
  { database, disk }: Pick<Deps, 'database' | 'disk'>,
  bounds: Bounds = BOUNDS,
): RecordStore {
  const takeTurn = createTurns();
  return {
    inTurn: async (unitId, work) => {
      await checkRoom(disk, 'unavailable');
      return takeTurn(unitId, work);
    },
    store: createStore({ database }, bounds),
  };
}

/** The same without turns, for a thread that is given one batch at a time. */
export function createStore(
  { database }: Pick<Deps, 'database'>,
  bounds: Bounds = BOUNDS,
): StoreRecords {
  const deps = {
    database,
    bounds,
    seenUnits: createSeenUnits(),
    recordedDays: createRecordedDays(),
  };
  return (...batch) => storeBatch(deps, ...batch);
}

async function storeBatch(
  deps: WriteDeps,
  unit: KnownUnit,
  stream: string,
  records: readonly CheckedRecord[],
  receivedMs: number,
  backlogFromMs?: number | null,
): Promise<StoreAnswer> {
  await checkDays(deps.database.db, unit, records);
  const cameraIds = await listCameraIds(deps, unit, records);
  const { usable, refused } = partUsable(records, cameraIds);
  const beganMs = performance.now();
  const arrival = { receivedMs, backlogFromMs };
  const stored = await storeWithRetries(deps, unit, stream, usable, cameraIds, arrival);
  const seconds = (performance.now() - beganMs) / 1000;
  const all = [...refused, ...stored.refused];
  const outcomes = [
    ...stored.fresh.map(({ type }) => ({ type, outcome: 'stored' })),
    ...stored.repeated.map(({ type }) => ({ type, outcome: 'repeated' })),
    ...all.map(({ record: { type }, reason }) => ({ type, outcome: reason })),
  ];
  return {
    acknowledged: rangesOf([...stored.fresh, ...stored.repeated].map(({ seq }) => seq)),
    refused: all,
    figures: { records: countRecords(outcomes), seconds },
  };
}

/** When a batch arrived, and from when on its unit has still to send, ms since 1970 UTC. */
interface Arrival {
  readonly receivedMs: number;
  readonly backlogFromMs: number | null | undefined;
}

interface Stored {
  readonly fresh: readonly CheckedRecord[];
  /** The records that are already stored. */
  readonly repeated: readonly CheckedRecord[];
  readonly refused: readonly StoreRefusal[];
}

async function storeWithRetries(
  deps: WriteDeps,
  unit: KnownUnit,
  stream: string,
  records: readonly CheckedRecord[],
  ...rest: [ReadonlyMap<string, number>, Arrival]
): Promise<Stored> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await makePartitions(deps.database, records);
      const [, { receivedMs, backlogFromMs }] = rest;
      const isUsual = backlogFromMs === undefined;
      if (isUsual && (await storeFollowing(deps, unit, stream, records, receivedMs))) {
        return { fresh: records, repeated: [], refused: [] };
      }
      const { batches, numbers, seen, days, ...stored } = await deps.database.db
        .transaction()
        .execute((tx) => store(tx, deps, unit, stream, records, ...rest));
      if (unit.busId !== null) deps.recordedDays.add(unit.busId, days);
      if (seen === undefined) deps.seenUnits.count(unit.unitId, batches, stream, numbers);
      else deps.seenUnits.keep(unit.unitId, seen);
      return stored;
    } catch (error) {
      const again = hasErrorCode(error, '40001') || hasErrorCode(error, '40P01');
      if (!again || attempt === ATTEMPTS) throw error;
    }
  }
}

async function store(
  tx: Tx,
  { bounds, recordedDays }: WriteDeps,
  unit: KnownUnit,
  stream: string,
  records: readonly CheckedRecord[],
  cameraIds: ReadonlyMap<string, number>,
  { receivedMs, backlogFromMs }: Arrival,
): Promise<
  Stored & {
    batches: number;
    numbers: KnownNumbers;
    seen: SeenUnit | undefined;
    days: ReadonlySet<string>;
  }
> {
  // Everybody locks it first, so that two batches of one unit never deadlock.
  const own = await tx
    .updateTable('units')
    .set((eb) => ({
      last_seen_at: new Date(receivedMs),
      batches: eb('batches', '+', 1),
      ...(backlogFromMs !== undefined && {
        backlog_from: backlogFromMs === null ? null : new Date(backlogFromMs),
      }),
    }))
    .where('id', '=', unit.unitId)
    .returning(['batches', 'workplace_id', 'test_since'])
    .executeTakeFirstOrThrow();
  if (own.workplace_id !== unit.busId) {
    const message = 'The unit has just been moved to another bus; send again.';
    throw new AppError('unavailable', message, { retryAfterS: MOVED_S });
  }
  // What a unit in test mode sends counts for no bus until it is released.
  const isTest = own.test_since !== null;
  const [{ unitId }, { batches }, busId] = [unit, own, isTest ? null : unit.busId];
  const row = await lockStream(tx, { unitId, stream }, receivedMs, bounds.streamRanges);
  const isRepeat = ({ seq }: CheckedRecord): boolean => includesSequence(row.received, seq);
  const repeated = records.filter(isRepeat);
  const unseen = records.filter((record) => !isRepeat(record));
  const known = { unitId, streamId: row.id, unplaced: row.unplaced };
  const other = await findOtherContent(tx, known, sortRecords(repeated), cameraIds);
  const open = await openBlocks(tx, unitId, sentMsOfPoints(unseen), bounds.blockPoints);
  const { fresh, dense } = partByRoom(unseen, open, bounds.blockPoints);
  const sorted = sortRecords(fresh);
  const source = { unitId, streamId: row.id, busId, isTest, recordedDays };
  const { left, days } = await insertFresh(tx, source, sorted, open, cameraIds, receivedMs);
  const numbers = await addNumbers(tx, row, fresh, bounds.streamRanges);
  return {
    fresh,
    repeated: repeated.filter(({ seq }) => !other.has(seq)),
    refused: [
      ...repeated.filter(({ seq }) => other.has(seq)).map(otherContent),
      ...dense.map((record) => denseRefusal(record, bounds.blockPoints)),
    ],
    batches,
    numbers,
    // The one statement has no mark of the test, and a spare unit has no bus in either mode.
    seen:
      left === undefined || isTest
        ? undefined
        : { batches, stream, streamId: row.id, busId, numbers, ...left },
    days,
  };
}

interface Inserted {
  /** The state for the next batch; undefined without positions. */
  readonly left: Pick<SeenUnit, 'block' | 'zones' | 'shifts'> | undefined;
  /** The local days of its passengers, which have the calculator's record now. */
  readonly days: ReadonlySet<string>;
}

async function insertFresh(
  tx: Tx,
  source: Source & { readonly recordedDays: RecordedDays },
  fresh: Sorted,
  open: OpenBlocks,
  cameraIds: ReadonlyMap<string, number>,
  receivedMs: number,
): Promise<Inserted> {
  const { unitId, streamId, busId, recordedDays } = source;
  const points = fresh.positions.filter(hasPlace).map((record) => pointOf(record, streamId));
  const zones = busId === null ? { spans: [], said: '' } : await readZones(tx, busId);
  let shifts: KnownShifts = { fromDay: '', byDay: NO_SHIFTS };
  if (busId !== null) {
    // Before the bus's days are locked: the job that stores laps locks its day first, too.
    const days = touchedDays(fresh, zones.spans, receivedMs);
    await requestLaps(tx, busId, days, { nowMs: receivedMs });
    const [fromDay] = [...days].sort();
    if (fromDay !== undefined) {
      shifts = { fromDay, byDay: await listShifts(tx, busId, fromDay) };
    }
  }
  const block = await appendPositions(tx, unitId, points, open);
  await keepLastFix(tx, unitId, fresh, receivedMs);
  await insertCameraStates(tx, source, fresh.cameraStates, cameraIds, receivedMs);
  const moved = await insertAnnouncements(tx, source, fresh.announcements, cameraIds, receivedMs);
  const left = block && { block, zones, shifts };
  const isEmpty = points.length + fresh.passengers.length + fresh.announcements.length === 0;
  if (isEmpty) return { left, days: new Set() };
  await insertPassengers(tx, source, fresh.passengers);
  if (busId === null) return { left, days: new Set() };
  const { hours, days } = hoursOf(fresh.passengers, zones.spans, shifts.byDay);
  const eventDays = new Set(days);
  if (!recordedDays.hasAll(busId, eventDays)) {
    const missing = [...eventDays].map((day) => ({ busId, day }));
    await createDayRecords(tx, missing, receivedMs);
  }
  const edges = fresh.announcements.flatMap(({ startMs, endMs, timeMs, sentMs }) =>
    [startMs, endMs - 1].map((ms) => ms + timeMs - sentMs),
  );
  for (const ms of edges) days.add(dayOf(ms, zoneAt(zones.spans, ms)));
  const times = [...fresh.passengers.map(({ timeMs }) => timeMs), ...edges, ...moved];
  await changeHours(tx, { busId, zones: zones.spans }, times, hours);
  await bumpDays(tx, busId, [...days]);
  return { left, days: eventDays };
}
