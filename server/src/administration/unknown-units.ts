// Ids that knock in a protocol without secrets. An administrator makes a unit of one, or says that it is none of ours.

import type { changeUnknownUnits } from '@ridewatch/contract/admin-several';
import type { AdminUnit } from '@ridewatch/contract/admin-units';
import type * as contract from '@ridewatch/contract/admin-unknown-units';
import type { BodyOf, QueryOf } from '@ridewatch/contract/endpoint';
import { protocolIdFault } from '@ridewatch/contract/unit-protocols';
import { type RawBuilder, sql } from 'kysely';
import { type Actor, type AuditEntry, insertAudit, insertAudits } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import { insertUnits } from './new-units.ts';
import { contains, equals, type Page, readPage, wireOf } from './page.ts';
import { readUnit } from './units.ts';

type Unknown = contract.UnknownUnit;
type Adopter = contract.Adopter;
type Moments = 'first_at' | 'last_at';
type Told = 'sent_time' | 'counted_time';
type Row = Omit<Unknown, Moments | Told> & { readonly [Moment in Moments]: Date } & {
  readonly [Moment in Told]: Date | null;
};

const columns = {
  protocol_id: sql`protocol_id`,
  address: sql`address`,
  first_at: sql`first_at`,
  last_at: sql`last_at`,
  records: sql`records`,
} as const;

const unknownRows = (where: RawBuilder<boolean>) => sql`
  select id, protocol, protocol_id, address, first_at, last_at, records, sent_time, latitude,
    longitude, counted_time, door, entered, exited, ignored
  from unknown_units where ${where}`;

/** One page of the ids, the latest first unless asked otherwise. */
export async function listUnknownUnits(
  db: Db,
  query: QueryOf<typeof contract.listUnknownUnits>,
): Promise<Page<Unknown>> {
  const isIgnored = query.state === undefined ? undefined : query.state === 'ignored';
  const where = sql<boolean>`${contains(query.search, sql`protocol_id`, sql`address`)}
    and ${equals(sql`ignored`, isIgnored)}`;
  return readPage<Row>(db, unknownRows(where), query, {
    by: columns[query.sortBy ?? 'last_at'],
    isDescending: query.sortBy === undefined,
  });
}

/** @throws AppError not_found */
export async function readUnknownUnit(db: Db, id: number): Promise<Unknown> {
  const { rows } = await unknownRows(sql`id = ${id}`).execute(db);
  const [row] = rows as Row[];
  if (row === undefined) throw notFound();
  return wireOf(row);
}

/**
 * Makes a spare unit of an id: it is put in a bus as any other.
 * @throws AppError not_found; conflict when a unit has the id by now, which is in `current`, or when the id is not in the
 *   form of its protocol
 */
export async function adoptUnknownUnit(tx: Tx, actor: Actor, id: number): Promise<AdminUnit> {
  await lockUnknown(tx, id);
  await refuseAdopted(tx, id);
  const { protocol, protocol_id } = await readUnknownUnit(tx, id);
  // No unit can have it, so nothing that it sends could be stored.
  const fault = protocolIdFault(protocol, protocol_id);
  if (fault !== undefined) throw new AppError('conflict', fault, { field: 'protocol_id' });
  // An id of OsmAnd is as good as a password, and everybody who sees the unit sees its name.
  const device_id = await freeName(tx, `${protocol}-${protocol === 'osmand' ? id : protocol_id}`);
  const [made] = await insertUnits(tx, actor, [
    { device_id, protocol, protocol_id, bus: null, client: null },
  ]);
  return readUnit(tx, { id: made?.id ?? 0 }, actor.atMs);
}

/** Says whether an id needs no attention. @throws AppError not_found */
export async function ignoreUnknownUnit(
  tx: Tx,
  actor: Actor,
  id: number,
  ignored: boolean,
): Promise<Unknown> {
  await lockUnknown(tx, id);
  const before = await readUnknownUnit(tx, id);
  if (before.ignored === ignored) return before;
  await tx.updateTable('unknown_units').set({ ignored }).where('id', '=', id).execute();
  await insertAudit(tx, actor, auditOf(before, ignored));
  return { ...before, ignored };
}

/**
 * Says of several ids whether they need no attention. The list changes with every message, so one that is no longer there is
 * passed over.
 * @returns the ids that became different
 */
export async function ignoreUnknownUnits(
  tx: Tx,
  actor: Actor,
  { ids, preview, change: { ignored } }: BodyOf<typeof changeUnknownUnits>,
): Promise<{ changed: number; changed_ids: number[] }> {
  // In the order in which processes note what they have heard.
  await sql`select from knocks where id = any(${[...ids]}::bigint[])
    order by protocol, protocol_id for update`.execute(tx);
  const rows = await tx
    .selectFrom('unknown_units')
    .select(['id', 'protocol', 'protocol_id', 'ignored'])
    .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
    .where('ignored', '!=', ignored)
    .orderBy('id')
    .execute();
  const changed_ids = rows.map(({ id }) => id);
  if (!preview && rows.length > 0) {
    await tx.updateTable('unknown_units').set({ ignored }).where('id', 'in', changed_ids).execute();
    await insertAudits(
      tx,
      actor,
      rows.map((row) => auditOf(row, ignored)),
    );
  }
  return { changed: rows.length, changed_ids };
}

// An id of OsmAnd is as good as a password.
const auditOf = (
  {
    id,
    protocol,
    protocol_id,
    ...before
  }: Pick<Row, 'id' | 'protocol_id' | 'ignored'> & {
    readonly protocol: string;
  },
  ignored: boolean,
): AuditEntry => ({
  ...{ action: 'ignore_unknown_unit', objectType: 'unknown_unit', objectId: id },
  before: { ignored: before.ignored },
  after: { ignored, protocol, ...(protocol !== 'osmand' && { protocol_id }) },
});

// The unit that the id once was keeps its name when it gets another id.
async function freeName(tx: Tx, name: string): Promise<string> {
  const like = `${name.replaceAll(/[\\%_]/g, '\\$&')}-%`;
  const rows = await tx
    .selectFrom('units')
    .select('device_id')
    .where((eb) => eb.or([eb('device_id', '=', name), eb('device_id', 'like', like)]))
    .execute();
  const taken = new Set(rows.map(({ device_id }) => device_id));
  let free = name;
  for (let n = 2; taken.has(free); n += 1) free = `${name}-${n}`;
  return free;
}

// Two administrators may adopt an id at once, and a screen may be old.
async function refuseAdopted(tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<Adopter>`
    select units.id, device_id from knocks join units using (protocol, protocol_id)
    where knocks.id = ${id}`.execute(tx);
  const [current] = rows;
  if (current === undefined) return;
  throw new AppError('conflict', 'A unit has this id by now.', { field: 'protocol_id', current });
}

async function lockUnknown(tx: Tx, id: number): Promise<void> {
  await sql`select from knocks where id = ${id} for update`.execute(tx);
}
