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
import { listAround } from '../store/around.ts';
import { MOST_PLACED } from '../store/place-aside.ts';
import { isRunOn, type Timed } from '../store/place-times.ts';

interface Row {
  readonly id: number;
  readonly stream_id: number;
  readonly received_at: Date;
  readonly seq: number;
  /** As sent, ms since 1970 UTC. */
  readonly sentMs: number;
  readonly type: string;
  readonly direction: string | null;
  readonly count: number | null;
}

/** Records that one clock made, by number. */
export type AsideRows = readonly [Row, ...Row[]];

/** The records of a unit that are kept aside, by group. */
export async function listGroups(
  db: Db,
  { id: unitId }: Administered<UnitRow>,
): Promise<UnitAside> {
  const rows = await listRows(db, sql<boolean>`unit_id = ${unitId}`);
  const items: AsideGroup[] = [];
  for (const group of groupsOf(rows).slice(0, MOST_ASIDE_GROUPS)) {
    items.push(await wireOf(db, unitId, group));
  }
  const { total } = await db
    .selectFrom('aside_records')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('total'))
    .where('unit_id', '=', unitId)
    .executeTakeFirstOrThrow();
  return { total, items };
}

/** Reads a group of a unit. @param id of its first record @returns undefined when there is none */
export async function readGroup(
  db: Db,
  unitId: number,
  id: number,
): Promise<AsideRows | undefined> {
  const ofBatch = sql<boolean>`(stream_id, received_at) = (
    select stream_id, received_at from aside_records where unit_id = ${unitId} and id = ${id})`;
  return groupsOf(await listRows(db, ofBatch)).find(([first]) => first.id === id);
}

/** The people of a group in a direction. */
export function peopleOf(group: AsideRows, direction: 'entered' | 'exited'): number {
  return group.reduce((sum, row) => sum + (row.direction === direction ? (row.count ?? 0) : 0), 0);
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

async function listRows(db: Db, where: RawBuilder<boolean>): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select id, stream_id, received_at, seq, (record ->> 'sentMs')::float8 as "sentMs",
      record ->> 'type' as type, record ->> 'direction' as direction,
      (record ->> 'count')::int as count
    from aside_records where ${where}
    order by received_at, stream_id, seq limit ${MOST_PLACED}`.execute(db);
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
      isRunOn(last.sentMs, row.sentMs);
    if (isSame) group?.push(row);
    else groups.push([row]);
  }
  return groups;
}

async function wireOf(db: Db, unitId: number, group: AsideRows): Promise<AsideGroup> {
  const [first] = group;
  const lastSeq = group.at(-1)?.seq ?? first.seq;
  const receivedMs = first.received_at.getTime();
  const around = await listAround(db, {
    ...{ unitId, streamId: first.stream_id, firstSeq: first.seq, lastSeq },
    ...{ firstReceivedMs: receivedMs, lastReceivedMs: receivedMs },
  });
  const timeOf = (record: Timed | undefined): string | null =>
    typeof record?.timeMs === 'number' ? new Date(record.timeMs).toISOString() : null;
  const sent = group.map(({ sentMs }) => sentMs).sort((a, b) => a - b);
  const positions = group.filter(({ type }) => type === 'position').length;
  const passengers = group.filter(({ type }) => type === 'passenger').length;
  const raw = await db
    .selectFrom('aside_records')
    .select('raw')
    .where('stream_id', '=', first.stream_id)
    .where(
      'seq',
      'in',
      group.slice(0, MOST_ASIDE_RAW).map(({ seq }) => seq),
    )
    .orderBy('seq')
    .execute();
  return {
    id: first.id,
    received_at: first.received_at.toISOString(),
    entered: peopleOf(group, 'entered'),
    exited: peopleOf(group, 'exited'),
    positions,
    others: group.length - positions - passengers,
    sent_from: new Date(sent[0] ?? first.sentMs).toISOString(),
    sent_to: new Date(sent.at(-1) ?? first.sentMs).toISOString(),
    before: timeOf(around?.findLast(({ seq }) => seq < first.seq)),
    after: timeOf(around?.find(({ seq }) => seq > lastSeq)),
    raw: raw.map((row) => row.raw),
  };
}
