// Routes and stops as places, as those who administer them see them.
import type * as contract from '@ridewatch/contract/admin-groups';
import { dayOf, FALLBACK_ZONE } from '@ridewatch/contract/day';
import type { BodyOf, QueryOf } from '@ridewatch/contract/endpoint';
import { type RawBuilder, sql } from 'kysely';
import type { Administered } from '../access/administration.ts';
import { clientName } from '../access/client.ts';
import type { RouteRow } from '../access/route.ts';
import type { ClassifierRow } from '../access/stop.ts';
import { isOfVisibleClient } from '../access/visible.ts';
import { announceBusChange } from '../buses/announce.ts';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { everOnRoute, periodsOnRoute, presentOnRoute } from '../days/bus-settings.ts';
import { lockPlaces } from '../routes/route-rows.ts';
import { changeObject, refuseTaken } from './change.ts';
import { contains, equals, type Page, readPage } from './page.ts';

type Group = contract.AdminGroup;
type Classifier = contract.AdminClassifier;

const client = sql`jsonb_build_object('id', clients.id, 'name', ${clientName}) as client`;
const name = sql`name collate natural_ru`;
const byClient = sql`client ->> 'name' collate natural_ru`;
const groupColumns = { name, client: byClient, stops: sql`stops`, buses: sql`buses` } as const;

const groupRows = (nowMs: number, where: RawBuilder<boolean>) => sql`
  select route_groups.id, route_groups.name, type_calculation, ${client},
    (select count(*)::int from route_stops
      join route_stop_versions as own on own.stop_id = route_stops.id
      where group_id = route_groups.id and own.valid_from <= ${dayOf(nowMs, FALLBACK_ZONE)}::date
        and (own.valid_to is null or own.valid_to > ${dayOf(nowMs, FALLBACK_ZONE)}::date)) as stops,
    (select count(*)::int
      from ${presentOnRoute(sql.ref('route_groups.id'), sql`${new Date(nowMs)}::timestamptz`)} as present
      join workplaces on workplaces.id = present.workplace_id
      where retired_at is null) as buses
  from route_groups join clients on clients.id = client_id
  where not deleted and ${where}`;

/** One page of the visible routes, by name unless asked otherwise. */
export async function listGroups(
  db: Db,
  viewer: Viewer,
  query: QueryOf<typeof contract.listGroups>,
  nowMs: number,
): Promise<Page<Group>> {
  const where = sql<boolean>`${isOfVisibleClient(viewer, sql.ref('clients.id'))}
    and ${equals(sql`clients.id`, query.clientId)}
    and ${contains(query.search, sql`route_groups.name`, clientName)}`;
  return readPage<Group>(db, groupRows(nowMs, where), query, {
    by: groupColumns[query.sortBy ?? 'name'],
  });
}

/** A route as in answers. */
export async function readGroup(
  db: Db,
  { id }: { readonly id: number },
  nowMs: number,
): Promise<Group> {
  const { rows } = await groupRows(nowMs, sql`route_groups.id = ${id}`).execute(db);
  const [row] = rows as Group[];
  if (row === undefined) throw notFound();
  return row;
}

/** Creates a route without stops. @throws AppError conflict for a taken name */
export async function createGroup(
  tx: Tx,
  actor: Actor,
  fields: BodyOf<typeof contract.createGroup>,
): Promise<Group> {
  const { id } = await refuseTaken('name', 'Another route of the customer has this name.', () =>
    tx.insertInto('route_groups').values(fields).returning('id').executeTakeFirstOrThrow(),
  );
  await insertAudit(tx, actor, {
    action: 'create_route',
    objectType: 'route_group',
    objectId: id,
    after: fields,
  });
  return readGroup(tx, { id }, actor.atMs);
}

/** Deletes a route. @throws AppError conflict when a bus is on it now or later, not_found */
export async function deleteGroup(
  tx: Tx,
  actor: Actor,
  { id, name: called }: Administered<RouteRow>,
): Promise<void> {
  const { rows: found } =
    await sql`select from route_groups where id = ${id} and not deleted for update`.execute(tx);
  // Somebody else may have deleted it meanwhile.
  if (found.length === 0) throw notFound();
  // A bus east of the routes' zone has begun its day earlier.
  const today = dayOf(actor.atMs, FALLBACK_ZONE);
  const { rows } = await sql<{ count: number }>`
    select count(distinct bus)::int as count
    from ${periodsOnRoute(id, today)} as period
    join workplaces on workplaces.id = bus
    where bus in (select id from ${everOnRoute(id)} as ever) and retired_at is null`.execute(tx);
  const count = rows[0]?.count ?? 0;
  if (count > 0) {
    throw new AppError('conflict', `${count} buses are on this route now or later.`, {
      field: 'buses',
    });
  }
  await tx.updateTable('route_groups').set({ deleted: true }).where('id', '=', id).execute();
  await insertAudit(tx, actor, {
    action: 'delete_route',
    objectType: 'route_group',
    objectId: id,
    before: { name: called },
  });
  await announceBusChange(tx);
}

const classifierColumns = { name, client: byClient, groups: sql`groups` } as const;

const classifierRows = (where: RawBuilder<boolean>) => sql`
  select place.id, place.name, latitude, longitude, ${client},
    (select count(distinct group_id)::int from route_stop_versions as own
      join route_stops on route_stops.id = own.stop_id
      where own.classifier_id = place.id and own.valid_to is null) as groups
  from stop_classifiers as place join clients on clients.id = client_id
  where ${where}`;

/** One page of the visible places, by name unless asked otherwise. */
export async function listClassifiers(
  db: Db,
  viewer: Viewer,
  query: QueryOf<typeof contract.listClassifiers>,
): Promise<Page<Classifier>> {
  const where = sql<boolean>`${isOfVisibleClient(viewer, sql.ref('clients.id'))}
    and ${equals(sql`clients.id`, query.clientId)}
    and ${contains(query.search, sql`place.name`, clientName)}`;
  return readPage<Classifier>(db, classifierRows(where), query, {
    by: classifierColumns[query.sortBy ?? 'name'],
  });
}

/** A place as in answers. */
export async function readClassifier(db: Db, { id }: { readonly id: number }): Promise<Classifier> {
  const { rows } = await classifierRows(sql`place.id = ${id}`).execute(db);
  const [row] = rows as Classifier[];
  if (row === undefined) throw notFound();
  return row;
}

/** Renames or moves a place. @throws AppError conflict */
export async function changeClassifier(
  tx: Tx,
  actor: Actor,
  { id }: Administered<ClassifierRow>,
  body: BodyOf<typeof contract.updateClassifier>,
): Promise<Classifier> {
  const { seen: _, ...wanted } = body;
  const { row } = await changeObject<Classifier>(tx, actor, {
    ...{ table: 'stop_classifiers', id, body, action: 'set_classifier', wanted },
    read: (db) => readClassifier(db, { id }),
    write: async (__, { client: ___, groups: ____, ...changed }) => {
      await tx.updateTable('stop_classifiers').set(changed).where('id', '=', id).execute();
    },
  });
  return row;
}

/** Merges a place into another of its customer. @throws AppError conflict, not_found for one that is merged already */
export async function mergeClassifier(
  tx: Tx,
  actor: Actor,
  from: Administered<ClassifierRow>,
  into: Administered<ClassifierRow>,
): Promise<Classifier> {
  if (from.id === into.id || from.clientId !== into.clientId) {
    const message = 'The places must be two of one customer.';
    throw new AppError('conflict', message, { field: 'into' });
  }
  await lockPlaces(tx, from.clientId);
  const before = await readClassifier(tx, from);
  // Another merge may have removed it meanwhile.
  await readClassifier(tx, into);
  for (const table of ['route_stop_versions', 'lap_stops'] as const) {
    await tx
      .updateTable(table)
      .set({ classifier_id: into.id })
      .where('classifier_id', '=', from.id)
      .execute();
  }
  await tx.deleteFrom('stop_classifiers').where('id', '=', from.id).execute();
  await insertAudit(tx, actor, {
    action: 'merge_classifiers',
    objectType: 'stop_classifier',
    objectId: from.id,
    before: { name: before.name, latitude: before.latitude, longitude: before.longitude },
    after: { into: into.id },
  });
  return readClassifier(tx, into);
}
