// One writer for whatever a unit sends. A batch is one transaction under the unit's lock: the records, the hours they
// add to and the numbers that are now in stand or fall together, and only then the answer acknowledges them. Killed at
// any moment, sent twice, late or in another order: a record is stored exactly once.
import { setImmediate } from 'node:timers/promises';
import { dayOf } from '@ridewatch/contract/day';
import type { Batch, BatchAnswer, Refusal, UnitRecord } from '@ridewatch/contract/unit';
import type { Tx } from '../../core/db/db.ts';
import { AppError, hasErrorCode } from '../../core/errors.ts';
import type { KnownUnit } from '../../core/viewer.ts';
import { changeHours } from '../../counts/hours.ts';
import { bumpDays, type KnownZones, readZones, zoneAt } from '../../days/bus-days.ts';
import { requestLaps } from '../../days/due-laps.ts';
import type { Deps } from '../../deps.ts';
import {
  appendPositions,
  blockStartOf,
  type OpenBlocks,
  openBlocks,
} from '../../positions/append.ts';
import {
  checkRecord,
  clockOffsetMs,
  type Incoming,
  isRefusal,
  knownTypeOf,
  type SegmentIncoming,
} from '../http/incoming.ts';
import type { SeenUnit, SeenUnits } from '../http/seen-units.ts';
import { checkDays } from './batch-days.ts';
import type { Bounds } from './bounds.ts';
import { keepLastFix } from './last-fix.ts';
import { storeFollowing } from './one-statement.ts';
import { ensurePartitions } from './partitions.ts';
import { denseRefusal, partByRoom, sentMsOfPoints } from './room.ts';
import { includesSequence, rangesOf } from './sequences.ts';
import { insertAnnouncements } from './store-segments.ts';
import { hoursOf, insertCameraStates, insertPassengers } from './store-traffic.ts';
import { findOtherContent, hasPlace, pointOf, type Sorted, sortRecords } from './stored.ts';
import { addNumbers, type KnownNumbers, lockStream } from './stream-row.ts';
import { touchedDays } from './touched-days.ts';

const ATTEMPTS = 3;
/** By then this process knows of a unit that was moved, s. */
const MOVED_S = 3;
/** So many are checked, some 5 ms, before others have their turn. */
const RECORDS_AT_ONCE = 1000;

type Checked = Incoming | SegmentIncoming;

type WriteDeps = Pick<Deps, 'database'> & {
  readonly seenUnits: SeenUnits;
  readonly bounds: Bounds;
};

/**
 * Stores a batch.
 * @param receivedMs the server's clock at the arrival
 * @throws AppError too_many_days; the database's error when nothing of it could be stored; the unit sends it again
 */
export async function writeBatch(
  deps: Pick<Deps, 'metrics'> & WriteDeps,
  unit: KnownUnit,
  batch: Batch,
  receivedMs: number,
): Promise<BatchAnswer> {
  const offsetMs = clockOffsetMs(Date.parse(batch.sent_at), receivedMs);
  const refused: Refusal[] = [];
  const checked: Checked[] = [];
  for (const [index, value] of batch.records.entries()) {
    if (index > 0 && index % RECORDS_AT_ONCE === 0) await setImmediate();
    const result = checkRecord(value, index, offsetMs, receivedMs);
    if (isRefusal(result)) refused.push(result);
    else checked.push(result);
  }
  await checkDays(deps.database.db, unit, checked);
  const cameraIds = await listCameraIds(deps, unit, checked);
  const accepted = dropUnusable(checked, cameraIds, refused);
  const end = deps.metrics.batchSeconds.startTimer();
  const stored = await storeWithRetries(deps, unit, batch.stream, accepted, cameraIds, receivedMs);
  end();
  refused.push(...stored.refused);
  countRecords(deps, batch.records, refused, stored);
  return {
    server_time: new Date(receivedMs).toISOString(),
    acknowledged: rangesOf([...stored.fresh, ...stored.repeated].map(({ record }) => record.seq)),
    refused: refused.sort((a, b) => a.index - b.index),
  };
}

// Within one batch the first record of a number counts, as if the others had come later.
function dropUnusable(
  checked: readonly Checked[],
  cameraIds: ReadonlyMap<string, number>,
  refused: Refusal[],
): Checked[] {
  const first = new Map<number, Checked>();
  for (const incoming of checked) {
    const { record, index } = incoming;
    if ('camera' in record && !cameraIds.has(record.camera)) {
      const message = `the bus has no camera '${record.camera}'`;
      refused.push({ index, seq: record.seq, reason: 'unknown_camera', field: 'camera', message });
      continue;
    }
    const same = first.get(record.seq);
    if (same === undefined) first.set(record.seq, incoming);
    else if (JSON.stringify(same.record) !== JSON.stringify(record)) {
      refused.push(otherContent(incoming));
    }
  }
  return [...first.values()];
}

function otherContent({ index, record }: Incoming<UnitRecord>): Refusal {
  return {
    index,
    seq: record.seq,
    reason: 'other_content',
    field: 'seq',
    message: 'this number was used for a record with other content',
  };
}

interface Stored {
  readonly fresh: readonly Checked[];
  /** Those that say what is stored already. */
  readonly repeated: readonly Checked[];
  readonly refused: Refusal[];
}

async function storeWithRetries(
  deps: WriteDeps,
  unit: KnownUnit,
  stream: string,
  records: readonly Checked[],
  ...rest: [ReadonlyMap<string, number>, number]
): Promise<Stored> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await makePartitions(deps, records);
      const receivedMs = rest[1];
      if (await storeFollowing(deps, unit, stream, records, receivedMs)) {
        return { fresh: records, repeated: [], refused: [] };
      }
      const { batches, numbers, seen, ...stored } = await deps.database.db
        .transaction()
        .execute((tx) => store(tx, deps.bounds, unit, stream, records, ...rest));
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
  bounds: Bounds,
  unit: KnownUnit,
  stream: string,
  records: readonly Checked[],
  cameraIds: ReadonlyMap<string, number>,
  receivedMs: number,
): Promise<Stored & { batches: number; numbers: KnownNumbers; seen: SeenUnit | undefined }> {
  // Taken first and by everybody, so that two batches of one unit never wait for each other in a ring.
  const { batches, workplace_id: busNow } = await tx
    .updateTable('units')
    .set((eb) => ({ last_seen_at: new Date(receivedMs), batches: eb('batches', '+', 1) }))
    .where('id', '=', unit.unitId)
    .returning(['batches', 'workplace_id'])
    .executeTakeFirstOrThrow();
  if (busNow !== unit.workplaceId) {
    const message = 'The unit has just been moved to another bus; send again.';
    throw new AppError('unavailable', message, { retryAfterS: MOVED_S });
  }
  const { unitId, workplaceId } = unit;
  const row = await lockStream(tx, { unitId, stream }, receivedMs, bounds.streamRanges);
  const isRepeat = ({ record }: Checked): boolean => includesSequence(row.received, record.seq);
  const repeated = records.filter(isRepeat);
  const unseen = records.filter((incoming) => !isRepeat(incoming));
  const source = { unitId, streamId: row.id, unplaced: row.unplaced };
  const other = await findOtherContent(tx, source, sortRecords(repeated), cameraIds);
  const open = await openBlocks(tx, unitId, sentMsOfPoints(unseen), bounds.blockPoints);
  const { fresh, dense } = partByRoom(unseen, open, bounds.blockPoints);
  const left = await insertFresh(tx, unit, row.id, sortRecords(fresh), open, cameraIds, receivedMs);
  const numbers = await addNumbers(tx, row, fresh, bounds.streamRanges);
  return {
    fresh,
    repeated: repeated.filter(({ record }) => !other.has(record.seq)),
    refused: [
      ...repeated.filter(({ record }) => other.has(record.seq)).map(otherContent),
      ...dense.map((incoming) => denseRefusal(incoming, bounds.blockPoints)),
    ],
    batches,
    numbers,
    seen: left && { batches, stream, streamId: row.id, workplaceId, numbers, ...left },
  };
}

// What a batch that follows goes on from; undefined without positions.
async function insertFresh(
  tx: Tx,
  unit: KnownUnit,
  streamId: number,
  fresh: Sorted,
  open: OpenBlocks,
  cameraIds: ReadonlyMap<string, number>,
  receivedMs: number,
): Promise<Pick<SeenUnit, 'block' | 'zones'> | undefined> {
  const { unitId, workplaceId } = unit;
  const source = { unitId, streamId, workplaceId };
  const points = fresh.positions.filter(hasPlace).map((incoming) => pointOf(incoming, streamId));
  const zones = workplaceId === null ? NO_ZONES : await readZones(tx, workplaceId);
  if (workplaceId !== null) {
    // Before the bus's days are locked: whoever stores laps locks the work on a day first, too.
    const days = touchedDays(fresh, zones.spans, receivedMs);
    await requestLaps(tx, workplaceId, days, { nowMs: receivedMs });
  }
  const block = await appendPositions(tx, unitId, points, open);
  await keepLastFix(tx, unitId, fresh, receivedMs);
  await insertCameraStates(tx, source, fresh.cameraStates, cameraIds, receivedMs);
  const moved = await insertAnnouncements(tx, source, fresh.segments, cameraIds, receivedMs);
  const left = block && { block, zones };
  if (points.length + fresh.passengers.length + fresh.segments.length === 0) return left;
  await insertPassengers(tx, source, fresh.passengers);
  if (workplaceId === null) return left;
  const { hours, days } = hoursOf(fresh.passengers, zones.spans);
  const edges = fresh.segments.flatMap(({ startMs, endMs, timeMs, sentMs }) =>
    [startMs, endMs - 1].map((ms) => ms + timeMs - sentMs),
  );
  for (const ms of edges) days.add(dayOf(ms, zoneAt(zones.spans, ms)));
  const times = [...fresh.passengers.map(({ timeMs }) => timeMs), ...edges, ...moved];
  await changeHours(tx, { workplaceId, zones: zones.spans }, times, hours);
  await bumpDays(tx, workplaceId, [...days]);
  return left;
}

const NO_ZONES: KnownZones = { spans: [], said: '' };

async function listCameraIds(
  { database }: Pick<Deps, 'database'>,
  unit: KnownUnit,
  checked: readonly Checked[],
): Promise<Map<string, number>> {
  if (unit.workplaceId === null) return new Map();
  if (!checked.some(({ record }) => 'camera' in record)) return new Map();
  const rows = await database.db
    .selectFrom('cameras')
    .select(['id', 'stream_id'])
    .where('workplace_id', '=', unit.workplaceId)
    .execute();
  return new Map(rows.map((row) => [row.stream_id, row.id]));
}

async function makePartitions(
  { database }: Pick<Deps, 'database'>,
  records: readonly Checked[],
): Promise<void> {
  const { positions, passengers, cameraStates } = sortRecords(records);
  const { db, pool } = database;
  const blocks = new Set(positions.map(({ sentMs }) => blockStartOf(sentMs)));
  await ensurePartitions(db, pool, 'position_blocks', blocks);
  const times = (of: readonly Incoming[]): Set<number> => new Set(of.map(({ sentMs }) => sentMs));
  await ensurePartitions(db, pool, 'passenger_events', times(passengers));
  await ensurePartitions(db, pool, 'camera_states', times(cameraStates));
}

function countRecords(
  { metrics }: Pick<Deps, 'metrics'>,
  sent: readonly unknown[],
  refused: readonly Refusal[],
  { fresh, repeated }: Stored,
): void {
  const count = (type: string, outcome: string): void =>
    metrics.records.labels(type, outcome).inc();
  for (const { record } of fresh) count(record.type, 'stored');
  for (const { record } of repeated) count(record.type, 'repeated');
  for (const { index, reason } of refused) count(knownTypeOf(sent[index]) ?? 'unknown', reason);
}
