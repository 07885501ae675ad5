import type * as contract from '@ridewatch/contract/admin-audit';
import { MOST_AUDIT_ROWS } from '@ridewatch/contract/admin-audit';
import { addDays, dayRange, FALLBACK_ZONE } from '@ridewatch/contract/day';
import type { QueryOf } from '@ridewatch/contract/endpoint';
import { MAX_PAGE_SIZE, PAGE_SIZE } from '@ridewatch/contract/paging';
import { type RawBuilder, sql } from 'kysely';
import { clientName } from '../access/client.ts';
import type { Db } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import { settingsAt } from '../days/bus-settings.ts';
import { withNames } from './names.ts';

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

function isWanted(filters: AuditFilters): RawBuilder<boolean> {
  const { kind, userId, action, objectType, objectId, importId, from, to, search } = filters;
  const startMs = (day: string): Date => new Date(dayRange(day, FALLBACK_ZONE).startMs);
  const part = search?.trim() ?? '';
  const conditions = [
    kind !== undefined && ofKind[kind],
    userId !== undefined && sql`user_id = ${userId}`,
    action !== undefined && sql`action = ${action}`,
    objectType !== undefined && sql`object_type = ${objectType}`,
    objectId !== undefined && sql`object_id = ${objectId}`,
    importId !== undefined && sql`import_id = ${importId}`,
    from !== undefined && sql`at >= ${startMs(from)}`,
    to !== undefined && sql`at < ${startMs(addDays(to, 1))}`,
    part !== '' &&
      sql`(user_id in (select id from users where strpos(lower(login), lower(${part})) > 0)
        or strpos(lower(action), lower(${part})) > 0 or object_id = ${part} or request_id = ${part})`,
  ].filter((one) => one !== false);
  return conditions.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** The types of objects whose entries have their own name, or a part of it, in what changed. */
const NAMED = [
  ...['client', 'api_key', 'user', 'workplace', 'unit', 'camera', 'stop_classifier', 'news'],
  'message',
];
/** Of routes: other commands have the name of a stop or a pattern there. */
const NAMED_ROUTE = ['create_route', 'create_route_from_file', 'update_route', 'delete_route'];

/** The name that an entry has for its object; null where it has none. @param entry alias of a row of `audit_log` */
function nameIn(entry: 'chosen' | 'deletion'): RawBuilder<string | null> {
  const namesIn = (part: 'before' | 'after') => {
    const json = sql.ref(`${entry}.${part}`);
    return sql`nullif(concat_ws(' ', coalesce(${json} ->> 'login', ${json} ->> 'device_id',
      ${json} ->> 'title', ${json} ->> 'name'), ${json} ->> 'surname'), '')`;
  };
  const [type, action] = [sql.ref(`${entry}.object_type`), sql.ref(`${entry}.action`)];
  return sql`case when ${type} = any(${NAMED}::text[])
      or ${type} = 'route_group' and ${action} = any(${NAMED_ROUTE}::text[])
    then coalesce(${namesIn('after')}, ${namesIn('before')}) end`;
}

// A deleted object has the name of the entry, else the one that the entry of its deletion has.
const lastName = sql`coalesce(${nameIn('chosen')},
  (select ${nameIn('deletion')} from audit_log as deletion
    where deletion.object_type = chosen.object_type and deletion.object_id = chosen.object_id
      and deletion.action = 'delete_' || case chosen.object_type when 'workplace' then 'bus'
        when 'route_group' then 'route' else chosen.object_type end
    order by deletion.id desc limit 1))`;

// Names are read for the rows of the answer only.
const named = (chosen: RawBuilder<unknown>) => sql`
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
      when 'message' then (select title from messages where id = object_id::bigint)
    end, ${lastName}) as object_name
  from (${chosen}) as chosen order by chosen.id desc`;

/** One page of the commands, the latest first. */
export async function listAuditRows(
  db: Db,
  { page, perPage, pageSize, ...filters }: QueryOf<typeof contract.listAudit>,
): Promise<{ items: contract.AuditRow[]; number: number; total: number }> {
  const size = Math.min(perPage ?? pageSize ?? PAGE_SIZE, MAX_PAGE_SIZE);
  const where = isWanted(filters);
  const first = page * size;
  const items =
    first >= MOST_AUDIT_ROWS
      ? []
      : await withNames(
          db,
          await readRows(
            db,
            sql`select * from audit_log where ${where} order by id desc
              limit ${Math.min(size, MOST_AUDIT_ROWS - first)} offset ${first}`,
          ),
        );
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total
    from (select from audit_log where ${where} limit ${MOST_AUDIT_ROWS}) as counted`.execute(db);
  return { items, number: page, total: rows[0]?.total ?? 0 };
}

/** @throws AppError not_found */
export async function findAuditRow(db: Db, id: number): Promise<contract.AuditRow> {
  const [row] = await withNames(
    db,
    await readRows(db, sql`select * from audit_log where id = ${id}`),
  );
  if (row === undefined) throw notFound();
  return row;
}

/**
 * The commands before one, the latest first.
 * @param before its id; undefined: from the latest on
 * @param most rows
 * @returns rows without `names`: a file has what was stored
 */
export async function listAuditBefore(
  db: Db,
  filters: AuditFilters,
  before: number | undefined,
  most: number,
): Promise<StoredRow[]> {
  const isBefore = before === undefined ? sql<boolean>`true` : sql<boolean>`id < ${before}`;
  return readRows(
    db,
    sql`select * from audit_log where ${isWanted(filters)} and ${isBefore}
      order by id desc limit ${most}`,
  );
}

async function readRows(db: Db, chosen: RawBuilder<unknown>): Promise<StoredRow[]> {
  const { rows } = await sql<Row>`${named(chosen)}`.execute(db);
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

/** The different values of a column, ascending: the index is probed once for each. */
export async function listValues(db: Db, column: 'action' | 'object_type'): Promise<string[]> {
  const ref = sql.ref(column);
  const { rows } = await sql<{ value: string }>`
    with recursive known as (
      (select ${ref} as value from audit_log order by ${ref} limit 1)
      union all
      select (select ${ref} from audit_log where ${ref} > known.value order by ${ref} limit 1)
      from known where known.value is not null
    )
    select value from known where value is not null`.execute(db);
  return rows.map(({ value }) => value);
}
