// The one writer of units' records, for every protocol. A batch is one transaction under the unit's lock: records,
// rollup and received numbers commit together, and only then the protocol acknowledges. Whether killed, sent twice,
// late or out of order: each record is stored exactly once.
import type { Tx } from '../../core/db/db.ts';
import { AppError, hasErrorCode } from '../../core/errors.ts';
import type { KnownUnit } from '../../core/viewer.ts';
import type { Deps } from '../../deps.ts';
import { openBlocks } from '../../positions/append.ts';
import { joinAnswers, type StoreAnswer } from './answer.ts';
import { asideRefusal, atSentTime, insertAside, partByAside, roomForAside } from './aside.ts';
import { type AtOnce, createLongWays } from './at-once.ts';
import { checkDays } from './batch-days.ts';
import { countRecords, outcomesOf, type Stored } from './batch-figures.ts';
import { BOUNDS, type Bounds } from './bounds.ts';
import { partByStay, type Sender } from './by-bus.ts';
import { listCameraIds } from './camera-ids.ts';
import { counterRefusal, countReadings } from './counter-readings.ts';
import { fullHourRefusal, partByFullHours } from './full-hours.ts';
import { insertFresh } from './insert-fresh.ts';
import { createReadBlocks, type ReadBlocks } from './known-blocks.ts';
import { createReadPeople, findLastPeople, type ReadPeople } from './known-people.ts';
import { keepLastFix } from './last-fix.ts';
import { storeFollowing } from './one-statement.ts';
import { otherContent, partUsable } from './part-usable.ts';
import { makePartitions } from './partitions.ts';
import { createRecordedDays, type RecordedDays } from './recorded-days.ts';
import { type AsideRecord, type CheckedRecord, isUnplaced, sortRecords } from './records.ts';
import { denseRefusal, partByRoom, timesOfPoints } from './room.ts';
import { createSeenUnits, type SeenUnit, type SeenUnits } from './seen-units.ts';
import { includesSequence, rangesOf } from './sequences.ts';
import { createStoreTogether, type StoreTogether } from './store-together.ts';
import { findOtherContent } from './stored.ts';
import { addNumbers, type KnownNumbers, lockStream, NO_NUMBERS } from './stream-row.ts';
import { findStoredNumbers, TIMED_STREAM } from './timed-stream.ts';
import { createUpstreamFinder, type FindUpstreams, type Upstream } from './upstreams.ts';

const ATTEMPTS = 3;
/** Within this time the process learns that a unit was moved, or has another id, s. */
const MOVED_S = 3;

/**
 * Stores a batch of one stream of a unit.
 * @param receivedMs the server's clock at arrival
 * @param backlogFromMs time of the oldest record that the unit still has to send, ms since 1970 UTC; null: none;
 *   undefined: it did not say
 * @param aside records whose time is not known
 * @throws AppError too_many_days; the database's error when nothing was stored; the unit retries
 */
export type StoreRecords = (
  unit: KnownUnit,
  stream: string,
  records: readonly CheckedRecord[],
  receivedMs: number,
  backlogFromMs?: number | null,
  aside?: readonly AsideRecord[],
) => Promise<StoreAnswer>;

type WriteDeps = Pick<Deps, 'database'> & {
  readonly seenUnits: SeenUnits;
  readonly recordedDays: RecordedDays;
  readonly storeTogether: StoreTogether;
  readonly readBlocks: ReadBlocks;
  readonly readPeople: ReadPeople;
  readonly atOnce: AtOnce;
  readonly findUpstreams: FindUpstreams;
  readonly bounds: Bounds;
};

/** Makes the writer without turns: for a thread that is given one batch at a time, and for a record store. */
export function createStore(
  { database }: Pick<Deps, 'database'>,
  bounds: Bounds = BOUNDS,
): StoreRecords {
  const deps = {
    database,
    bounds,
    seenUnits: createSeenUnits(),
    recordedDays: createRecordedDays(),
    storeTogether: createStoreTogether(database),
    readBlocks: createReadBlocks(database),
    readPeople: createReadPeople(database),
    atOnce: createLongWays(),
    findUpstreams: createUpstreamFinder(database.db),
  };
  return (...batch) => storeBatch(deps, ...batch);
}

async function storeBatch(
  deps: WriteDeps,
  unit: KnownUnit,
  stream: string,
  records: readonly CheckedRecord[],
  receivedMs: number,
  ...present: [backlogFromMs?: number | null, aside?: readonly AsideRecord[]]
): Promise<StoreAnswer> {
  const answers: StoreAnswer[] = [];
  const parts = partByStay(unit, records);
  for (const [n, { busId, records: some }] of parts.entries()) {
    const [backlogFromMs, aside] = n === parts.length - 1 ? present : [];
    const sender = { unit, busId };
    answers.push(await storePart(deps, sender, stream, some, receivedMs, backlogFromMs, aside));
  }
  return joinAnswers(answers);
}

async function storePart(
  deps: WriteDeps,
  sender: Sender,
  stream: string,
  records: readonly CheckedRecord[],
  receivedMs: number,
  backlogFromMs?: number | null,
  aside: readonly AsideRecord[] = [],
): Promise<StoreAnswer> {
  await checkDays(deps.database.db, sender, records);
  const all = [...records, ...aside.map(atSentTime)].sort((a, b) => a.index - b.index);
  const cameraIds = await listCameraIds(deps, sender, all);
  const { usable, refused: unusable } = partUsable(all, cameraIds, stream === TIMED_STREAM);
  const beganMs = performance.now();
  const isAside = new Set(aside.map(({ record }) => record.index));
  const usableAside = new Set(
    usable.map(({ index }) => index).filter((index) => isAside.has(index)),
  );
  const upstreams = await deps.findUpstreams(sender.busId, receivedMs);
  const arrival = {
    ...{ receivedMs, backlogFromMs, upstreams },
    aside: aside.filter(({ record }) => usableAside.has(record.index)),
  };
  const timed = usable.filter(({ index }) => !isAside.has(index));
  const stored = await storeWithRetries(deps, sender, stream, timed, cameraIds, arrival);
  const seconds = (performance.now() - beganMs) / 1000;
  const refused = [...unusable, ...stored.refused];
  return {
    acknowledged: rangesOf(
      [...stored.fresh, ...stored.repeated, ...stored.aside].map(({ seq }) => seq),
    ),
    refused,
    aside: rangesOf(stored.aside.map(({ seq }) => seq)),
    repeated: stored.repeated.map(({ seq }) => seq),
    figures: { records: countRecords(outcomesOf({ ...stored, refused })), seconds },
  };
}

/** When a batch arrived, from when on its unit has still to send, ms since 1970 UTC, and its records without a time. */
interface Arrival {
  readonly receivedMs: number;
  readonly backlogFromMs: number | null | undefined;
  readonly aside: readonly AsideRecord[];
  /** They get what is stored. */
  readonly upstreams: readonly Upstream[];
}

async function storeWithRetries(
  deps: WriteDeps,
  sender: Sender,
  stream: string,
  records: readonly CheckedRecord[],
  ...rest: [ReadonlyMap<string, number>, Arrival]
): Promise<Stored> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await makePartitions(deps.database, records);
      const [, arrival] = rest;
      const isUsual = arrival.backlogFromMs === undefined && arrival.aside.length === 0;
      const batch = { records, ...arrival };
      const following = isUsual ? await storeFollowing(deps, sender, stream, batch) : undefined;
      if (following !== undefined) return { ...following, aside: [], refused: [] };
      const { batches, numbers, seen, days, ...stored } = await deps.atOnce(() =>
        deps.database.db
          .transaction()
          .execute((tx) => store(tx, deps, sender, stream, records, ...rest)),
      );
      const { unit, busId } = sender;
      if (busId !== null) deps.recordedDays.add(busId, days);
      if (busId !== unit.busId) deps.seenUnits.forget(unit.unitId);
      else if (seen === undefined) deps.seenUnits.count(unit.unitId, batches, stream, numbers);
      else deps.seenUnits.keep(unit.unitId, seen);
      return stored;
    } catch (error) {
      if (hasErrorCode(error, '22003')) {
        const { left, full } = await partByFullHours(deps.database.db, sender, records);
        if (full.length === 0) throw error;
        const stored = await storeWithRetries(deps, sender, stream, left, ...rest);
        return { ...stored, refused: [...stored.refused, ...full.map(fullHourRefusal)] };
      }
      const again = hasErrorCode(error, '40001') || hasErrorCode(error, '40P01');
      if (!again || attempt === ATTEMPTS) throw error;
    }
  }
}

async function store(
  tx: Tx,
  { bounds, recordedDays }: WriteDeps,
  { unit, busId: thenBusId }: Sender,
  stream: string,
  sent: readonly CheckedRecord[],
  cameraIds: ReadonlyMap<string, number>,
  { receivedMs, backlogFromMs, aside, upstreams }: Arrival,
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
    .returning(['batches', 'workplace_id', 'assigned_from', 'test_since', 'protocol_id'])
    .executeTakeFirstOrThrow();
  if (own.workplace_id !== unit.busId || Number(own.assigned_from) !== unit.assignedFromMs) {
    const message = 'The unit has just been moved to another bus; send again.';
    throw new AppError('unavailable', message, { retryAfterS: MOVED_S });
  }
  // Counters of another device are no measure for those of this one.
  if (unit.protocolId !== undefined && own.protocol_id !== unit.protocolId) {
    const message = 'The unit has just been given another id; send again.';
    throw new AppError('unavailable', message, { retryAfterS: MOVED_S });
  }
  // Records of a unit in test mode count for no bus until it is released.
  const isTest = own.test_since !== null && thenBusId === unit.busId;
  const [{ unitId }, { batches }, busId] = [unit, own, isTest ? null : thenBusId];
  const row = await lockStream(tx, { unitId, stream }, receivedMs, bounds.streamRanges);
  const { counted: records, empty, beyond } = await countReadings(tx, unit, sent);
  const timeless = aside.map(atSentTime);
  const isTimed = stream === TIMED_STREAM;
  const received = isTimed
    ? await findStoredNumbers(tx, unitId, row, { timed: records, timeless }, receivedMs)
    : row.received;
  const isRepeat = (record: CheckedRecord): boolean =>
    includesSequence(received, record.seq) && !(isTimed && isUnplaced(record));
  const repeated = [...records, ...timeless].filter(isRepeat);
  const unseen = records.filter((record) => !isRepeat(record));
  const timely = isTimed ? records : [];
  const { others, differing } = await partByAside(tx, row.id, repeated, timely);
  const known = {
    ...{ unitId, streamId: row.id, unplaced: row.unplaced },
    timeless: new Set(timeless.map(({ seq }) => seq)),
    ...{ isTimed, placed: isTimed ? row.received : [] },
  };
  const differingOthers = await findOtherContent(
    tx,
    known,
    sortRecords(others),
    cameraIds,
    receivedMs,
  );
  const other = new Set([...differing, ...differingOthers]);
  const open = await openBlocks(tx, unitId, timesOfPoints(unseen), bounds.blockPoints);
  const { fresh, dense } = partByRoom(unseen, open, bounds.blockPoints);
  const sorted = sortRecords(fresh);
  const source = { unitId, streamId: row.id, busId, isTest, recordedDays, isTimed, upstreams };
  const { left, days } = await insertFresh(tx, source, sorted, open, cameraIds, receivedMs);
  // A clock that was ahead and is set right says the seconds of stored positions again, but the bus is where it says.
  const elsewhere = timely.filter(({ seq }) => other.has(seq));
  await keepLastFix(tx, unitId, sortRecords(elsewhere), receivedMs, isTimed);
  const unseenAside = aside.filter((_, n) => timeless[n] !== undefined && !isRepeat(timeless[n]));
  const room = unseenAside.length === 0 ? 0 : await roomForAside(tx, unitId, bounds.aside);
  const kept = unseenAside.slice(0, room);
  await insertAside(tx, source, kept, receivedMs);
  const keptAside = kept.map(atSentTime);
  const numbers = isTimed
    ? { ...NO_NUMBERS, lastPeople: await findLastPeople(tx, known) }
    : await addNumbers(tx, row, [...fresh, ...keptAside], bounds.streamRanges);
  return {
    fresh,
    aside: keptAside,
    repeated: [...repeated.filter(({ seq }) => !other.has(seq)), ...empty],
    refused: [
      ...repeated.filter(({ seq }) => other.has(seq)).map(otherContent),
      ...beyond.map(counterRefusal),
      ...dense.map((record) => denseRefusal(record, bounds.blockPoints)),
      ...unseenAside.slice(room).map(({ record }) => asideRefusal(record, bounds.aside)),
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
