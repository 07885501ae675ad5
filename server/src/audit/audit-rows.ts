import type * as contract from '@ridewatch/contract/admin-audit';
import { MOST_AUDIT_ROWS } from '@ridewatch/contract/admin-audit';
import { addDays, dayRange, FALLBACK_ZONE } from '@ridewatch/contract/day';
import type { QueryOf } from '@ridewatch/contract/endpoint';
import { MAX_PAGE_SIZE, PAGE_SIZE } from '@ridewatch/contract/paging';
import { type RawBuilder, sql } from 'kysely';
import { clientName } from '../access/client.ts';
import type { Db } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import { settingsAt } from '../days/bus-settings.ts';
import { lastNameOf, withNames } from './names.ts';
import {
  hasFewKeys,
  isSought,
  resolveSearch,
  type Sought,
  soughtBus,
  soughtIds,
} from './search.ts';

/** The filters of the list and of the file. */
export type AuditFilters = Omit<QueryOf<typeof contract.exportAudit>, 'format' | 'language'>;

/** A command as it is stored. */
export type StoredRow = Omit<contract.AuditRow, 'names'>;

type Row = Omit<contract.AuditRow, 'at' | 'names'> & { readonly at: Date };

/** Commands that read and change nothing. */
const READING = [
  ...['open_video', 'download_video', 'open_live', 'download_merge', 'download_report'],
  ...['request_report', 'cancel_report', 'export'],
];
const ofKind = {
  session: sql<boolean>`object_type = 'session'`,
  reading: sql<boolean>`action = any(${READING}::text[])`,
  change: sql<boolean>`object_type <> 'session' and action <> all(${READING}::text[])`,
} as const satisfies Record<contract.AuditKind, RawBuilder<boolean>>;

/** The condition of all filters but the search. */
function isWanted(filters: AuditFilters): RawBuilder<boolean> {
  const { kind, userId, action, objectType, objectId, importId, from, to } = filters;
  const isBus = soughtBus(objectType, objectId) !== undefined;
  const ofObject = [
    objectType !== undefined && sql`object_type = ${objectType}`,
    objectId !== undefined && sql`object_id = ${objectId}`,
  ];
  // The units that came to a bus and left it are part of its history.
  const ofBus = sql`(object_type = ${objectType} and object_id = ${objectId}
    or left_bus_id = ${objectId} or entered_bus_id = ${objectId})`;
  const startMs = (day: string): Date => new Date(dayRange(day, FALLBACK_ZONE).startMs);
  const conditions = [
    kind !== undefined && ofKind[kind],
    userId !== undefined && sql`user_id = ${userId}`,
    action !== undefined && sql`action = ${action}`,
    ...(isBus ? [ofBus] : ofObject),
    importId !== undefined && sql`import_id = ${importId}`,
    from !== undefined && sql`at >= ${startMs(from)}`,
    to !== undefined && sql`at < ${startMs(addDays(to, 1))}`,
  ].filter((one) => one !== false);
  return conditions.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

// A deleted object has the name of the entry, else the last that its entries have.
const lastName = sql`coalesce(chosen.object_names[cardinality(chosen.object_names)],
  ${lastNameOf(sql`chosen.object_type`, sql`chosen.object_id`)})`;

// Names are read for the rows of the answer only.
const named = (ids: RawBuilder<unknown>) => sql`
  select chosen.id, at, action, object_type, object_id, before, after, request_id, address,
    import_id,
    coalesce(
      (select jsonb_build_object('id', users.id, 'name', login) from users
        where users.id = chosen.user_id),
      (select jsonb_build_object('id', api_keys.id, 'name', name) from api_keys
        where api_keys.id = chosen.user_id)) as user,
    (select jsonb_build_object('id', units.id, 'name', device_id) from units
      where units.id = chosen.unit_id) as unit,
    coalesce(case object_type
      when 'client' then (select ${clientName} from clients where id = object_id::bigint)
      when 'api_key' then (select name from api_keys where id = object_id::bigint)
      when 'user' then (select login from users where id = object_id::bigint)
      when 'workplace' then (select name from workplaces where id = object_id::bigint)
      when 'unit' then (select device_id from units where id = object_id::bigint)
      when 'camera' then (select name from cameras where id = object_id::bigint)
      when 'route_group' then (select name from route_groups where id = object_id::bigint)
      when 'stop_classifier' then (select name from stop_classifiers where id = object_id::bigint)
      when 'news' then (select title from news where id = object_id::bigint)
      when 'segment' then (select concat_ws(' · ', workplaces.name, cameras.name,
          to_char(segments.start_time at time zone then_valid.timezone, 'DD.MM.YYYY HH24:MI'))
        from segments
        join cameras on cameras.id = camera_id join workplaces on workplaces.id = workplace_id
        cross join lateral ${settingsAt(sql.ref('workplaces.id'), sql.ref('segments.start_time'))}
          as then_valid
        where segments.id = object_id::bigint)
      when 'merge_request' then (select concat_ws(' · ', workplaces.name, cameras.name)
        from merge_requests join cameras on cameras.id = camera_id
        join workplaces on workplaces.id = workplace_id where merge_requests.id = object_id::bigint)
      when 'preload' then (select name from preloads
        join workplaces on workplaces.id = workplace_id where preloads.id = object_id::bigint)
      when 'upstream' then (select name from upstreams where id = object_id::bigint)
      when 'message' then (select title from messages where id = object_id::bigint)
    end, ${lastName}) as object_name
  from audit_log as chosen where chosen.id in (${ids}) order by chosen.id desc`;

// The one condition of a bus is three for the planner, each with its index.
const findSought = async (
  db: Db,
  { search, ...filters }: AuditFilters,
): Promise<Sought | undefined> =>
  (await resolveSearch(db, search)) ?? soughtBus(filters.objectType, filters.objectId);

/** One page of the commands, the latest first. */
export async function listAuditRows(
  db: Db,
  { page, perPage, pageSize, ...filters }: QueryOf<typeof contract.listAudit>,
): Promise<{ items: contract.AuditRow[]; number: number; total: number }> {
  const size = Math.min(perPage ?? pageSize ?? PAGE_SIZE, MAX_PAGE_SIZE);
  const first = Math.min(page * size, MOST_AUDIT_ROWS);
  const last = Math.min(first + size, MOST_AUDIT_ROWS);
  const sought = await findSought(db, filters);
  const { rows } = await sql<{ total: number }>`
    select least(count(*), ${MOST_AUDIT_ROWS})::int as total
    from (${anyIds(filters, sought, MOST_AUDIT_ROWS)}) as counted`.execute(db);
  const total = rows[0]?.total ?? 0;
  const items =
    first >= Math.min(last, total)
      ? []
      : await readRows(
          db,
          sql`select id from (${latestIds(filters, sought, last, total)}) as found
            order by id desc limit ${last - first} offset ${first}`,
        );
  return { items: await withNames(db, items), number: page, total };
}

/** The ids of the commands that filters name, all of them or any `most` at least. */
function anyIds(
  filters: AuditFilters,
  sought: Sought | undefined,
  most: number,
): RawBuilder<unknown> {
  const where = isWanted(filters);
  return sought === undefined
    ? sql`select id from audit_log where ${where} limit ${most}`
    : soughtIds(sought, where, most, most);
}

/**
 * The ids of the commands that filters name, the latest `most` among them.
 * @param total of these commands, as counted
 */
function latestIds(
  filters: AuditFilters,
  sought: Sought | undefined,
  most: number,
  total: number,
): RawBuilder<unknown> {
  const where = isWanted(filters);
  // Fewer than are counted: any of them are all.
  if (sought !== undefined && total < MOST_AUDIT_ROWS) {
    return soughtIds(sought, where, MOST_AUDIT_ROWS, MOST_AUDIT_ROWS);
  }
  if (sought !== undefined && hasFewKeys(sought)) return soughtIds(sought, where, most, null);
  const all = sought === undefined ? where : sql<boolean>`${isSought(sought)} and ${where}`;
  return sql`select id from audit_log where ${all} order by id desc limit ${most}`;
}

/** @throws AppError not_found */
export async function findAuditRow(db: Db, id: number): Promise<contract.AuditRow> {
  const [row] = await withNames(db, await readRows(db, sql`${id}::bigint`));
  if (row === undefined) throw notFound();
  return row;
}

/**
 * The ids of all commands that filters name, the latest first.
 * @throws AppError too_large above `most`
 */
export async function listAuditIds(
  db: Db,
  filters: AuditFilters,
  most: number,
): Promise<readonly number[]> {
  const sought = await findSought(db, filters);
  const { rows } = await sql<{ id: number }>`
    select id from (${anyIds(filters, sought, most + 1)}) as found
    order by id desc limit ${most + 1}`.execute(db);
  if (rows.length > most) {
    throw new AppError('too_large', `The file has at most ${most} rows. Choose fewer days.`);
  }
  return rows.map(({ id }) => id);
}

/**
 * The commands with some ids, the latest first.
 * @returns rows without `names`: a file has what was stored
 */
export const readAuditRows = (db: Db, ids: readonly number[]): Promise<StoredRow[]> =>
  readRows(db, sql`select unnest(${ids}::bigint[])`);

/** @param ids a list or a `select` of ids */
async function readRows(db: Db, ids: RawBuilder<unknown>): Promise<StoredRow[]> {
  const { rows } = await sql<Row>`${named(ids)}`.execute(db);
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
