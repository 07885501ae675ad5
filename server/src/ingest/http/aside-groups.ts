// Groups of records that are kept aside: those of one stream that arrived in one batch and that one clock made.
import {
  type AsideGroup,
  MOST_ASIDE_GROUPS,
  MOST_ASIDE_RAW,
  type UnitAside,
} from '@ridewatch/contract/admin-aside';
import { type RawBuilder, sql } from 'kysely';
import type { Administered, UnitRow } from '../../access/administration.ts';
import type { Db, Tx } from '../../core/db/db.ts';
import type { Viewer } from '../../core/viewer.ts';
import { listAround } from '../store/around.ts';
import { MOST_PLACED } from '../store/place-aside.ts';
import { isRunOn, type Timed } from '../store/place-times.ts';
import type { SentRecord } from '../store/records.ts';
import { TIMED_STREAM } from '../store/timed-stream.ts';
import { arrivedVisibly } from './aside-arrivals.ts';

interface Row {
  readonly id: number;
  readonly stream_id: number;
  /** Its stream is the one of numbers made of times. */
  readonly is_timed: boolean;
  readonly received_at: Date;
  readonly seq: number;
  readonly record: SentRecord;
}

/** Records that one clock made, in the order in which it made them. */
export type AsideRows = readonly [Row, ...Row[]];

/** The records of a unit that are kept aside and that the user sees, by group. */
export async function listGroups(
  db: Db,
  viewer: Viewer,
  { id: unitId }: Administered<UnitRow>,
): Promise<UnitAside> {
  const where = sql<boolean>`unit_id = ${unitId} and ${await arrivedVisibly(db, viewer, unitId)}`;
  const rows = await listRows(db, unitId, where);
  const items: AsideGroup[] = [];
  for (const group of groupsOf(rows).slice(0, MOST_ASIDE_GROUPS)) {
    items.push(await wireOf(db, unitId, group));
  }
  const { total } = await db
    .selectFrom('aside_records')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('total'))
    .where(where)
    .executeTakeFirstOrThrow();
  return { total, items };
}

/**
 * Reads a group of a unit.
 * @param id of its first record
 * @returns undefined when there is none that the user sees
 */
export async function readGroup(
  db: Db,
  viewer: Viewer,
  { id: unitId }: Administered<UnitRow>,
  id: number,
): Promise<AsideRows | undefined> {
  const ofBatch = sql<boolean>`(stream_id, received_at) = (
    select stream_id, received_at from aside_records where unit_id = ${unitId} and id = ${id}
      and ${await arrivedVisibly(db, viewer, unitId)})`;
  return groupsOf(await listRows(db, unitId, ofBatch)).find(([first]) => first.id === id);
}

/** The people of a group in a direction. */
export function peopleOf(group: AsideRows, direction: 'entered' | 'exited'): number {
  return group.reduce((sum, { record }) => {
    const isCounted = record.type === 'passenger' && record.direction === direction;
    return isCounted ? sum + record.count : sum;
  }, 0);
}

/** Deletes the records of a group. @returns false when some of them are gone; the caller rolls back */
export async function deleteGroup(tx: Tx, group: AsideRows): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('aside_records')
    .where('stream_id', '=', group[0].stream_id)
    .where('seq', '=', sql<number>`any(${group.map(({ seq }) => seq)}::bigint[])`)
    .executeTakeFirst();
  return Number(numDeletedRows) === group.length;
}

// Numbers tell the order in which a clock made records, but not those made of times: of positions and counts they are far
// apart, and those of people without a time are made of bytes.
async function listRows(db: Db, unitId: number, where: RawBuilder<boolean>): Promise<Row[]> {
  const isTimed = sql<boolean>`stream_id = any(array(
    select id from unit_streams where unit_id = ${unitId} and stream = ${TIMED_STREAM}))`;
  const { rows } = await sql<Row>`
    select id, stream_id, ${isTimed} as is_timed, received_at, seq, record
    from aside_records where ${where}
    order by received_at, stream_id, case when ${isTimed} then (record ->> 'sentMs')::float8 end, seq
    limit ${MOST_PLACED}`.execute(db);
  return rows;
}

function groupsOf(rows: readonly Row[]): AsideRows[] {
  const groups: [Row, ...Row[]][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const isSame =
      last?.stream_id === row.stream_id &&
      last.received_at.getTime() === row.received_at.getTime() &&
      isRunOn(last.record.sentMs, row.record.sentMs);
    if (isSame) group?.push(row);
    else groups.push([row]);
  }
  return groups;
}

async function wireOf(db: Db, unitId: number, group: AsideRows): Promise<AsideGroup> {
  const [first] = group;
  const sent = group.map(({ record }) => record.sentMs).sort((a, b) => a - b);
  const positions = group.filter(({ record }) => record.type === 'position').length;
  const passengers = group.filter(({ record }) => record.type === 'passenger').length;
  return {
    id: first.id,
    received_at: first.received_at.toISOString(),
    entered: peopleOf(group, 'entered'),
    exited: peopleOf(group, 'exited'),
    positions,
    others: group.length - positions - passengers,
    sent_from: new Date(sent[0] ?? first.record.sentMs).toISOString(),
    sent_to: new Date(sent.at(-1) ?? first.record.sentMs).toISOString(),
    ...(await findNeighbours(db, unitId, group)),
    raw: await listRaw(db, group),
  };
}

async function findNeighbours(
  db: Db,
  unitId: number,
  group: AsideRows,
): Promise<Pick<AsideGroup, 'before' | 'after'>> {
  const [first] = group;
  // Numbers made of times have neighbours that say such times, not those that were made then.
  if (first.is_timed) return { before: null, after: null };
  const lastSeq = group.at(-1)?.seq ?? first.seq;
  const receivedMs = first.received_at.getTime();
  const around = await listAround(db, {
    ...{ unitId, streamId: first.stream_id, firstSeq: first.seq, lastSeq },
    ...{ firstReceivedMs: receivedMs, lastReceivedMs: receivedMs },
  });
  const timeOf = (record: Timed | undefined): string | null =>
    typeof record?.timeMs === 'number' ? new Date(record.timeMs).toISOString() : null;
  return {
    before: timeOf(around?.findLast(({ seq }) => seq < first.seq)),
    after: timeOf(around?.find(({ seq }) => seq > lastSeq)),
  };
}

// The raw forms of the first records, in the order of the group.
async function listRaw(db: Db, group: AsideRows): Promise<string[]> {
  const shown = group.slice(0, MOST_ASIDE_RAW).map(({ seq }) => seq);
  const rows = await db
    .selectFrom('aside_records')
    .select(['seq', 'raw'])
    .where('stream_id', '=', group[0].stream_id)
    .where('seq', 'in', shown)
    .execute();
  const raw = new Map(rows.map((row) => [row.seq, row.raw]));
  return shown.flatMap((seq) => raw.get(seq) ?? []);
}
