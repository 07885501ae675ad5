// The names of the objects that commands have as ids in what they changed: the present ones, and of deleted objects the
// last that the log has.
import type { AuditRow } from '@ridewatch/contract/admin-audit';
import { type RawBuilder, sql } from 'kysely';
import { clientName } from '../access/client.ts';
import type { Db } from '../core/db/db.ts';

/** Most ids of a kind of object that an answer names; the others stay numbers. */
const MOST_NAMED = 5_000;

/** The names of the rows of tables, and the types of these objects in the log. */
const tables = {
  clients: { name: clientName, type: 'client' },
  workplaces: { name: sql`workplaces.name`, type: 'workplace' },
  cameras: { name: sql`cameras.name`, type: 'camera' },
  units: { name: sql`units.device_id`, type: 'unit' },
  users: { name: sql`users.login`, type: 'user' },
  route_groups: { name: sql`route_groups.name`, type: 'route_group' },
  stop_classifiers: { name: sql`stop_classifiers.name`, type: 'stop_classifier' },
  route_stops: {
    name: sql`(select name from route_stop_versions where stop_id = route_stops.id
      order by valid_from desc limit 1)`,
    // The log has stops within the commands of their route.
    type: null,
  },
} as const satisfies Record<string, { name: RawBuilder<unknown>; type: string | null }>;
type Table = keyof typeof tables;

/** The fields that hold an id, or a list of ids. */
const tablesByField: Readonly<Record<string, Table>> = {
  ...{ client_id: 'clients', client_ids: 'clients', integrator_ids: 'clients' },
  ...{ bus_id: 'workplaces', workplace_id: 'workplaces', workplaceIds: 'workplaces' },
  ...{ cameraId: 'cameras', cameraIds: 'cameras' },
  ...{ group_id: 'route_groups', groupIds: 'route_groups' },
  ...{ userId: 'users', into: 'stop_classifiers', classifier_id: 'stop_classifiers' },
  ...{ terminal_stop_id: 'route_stops', first: 'route_stops', last: 'route_stops' },
  ...{ from_stop_id: 'route_stops', to_stop_id: 'route_stops', stop_ids: 'route_stops' },
  classifierId: 'stop_classifiers',
};

/**
 * The last name that entries of an object have; null where none has one.
 * @param type of the object in the log
 * @param id of the object, as text
 */
export const lastNameOf = (
  type: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
): RawBuilder<string | null> => sql`(
  select object_names[cardinality(object_names)] from audit_log as naming
  where object_names is not null and naming.object_type = ${type} and naming.object_id = ${id}
  order by naming.id desc limit 1)`;

/** Adds the names of the objects that rows mention. */
export async function withNames(
  db: Db,
  rows: readonly Omit<AuditRow, 'names'>[],
): Promise<AuditRow[]> {
  const wanted = new Map<Table, Set<number>>();
  for (const { before, after } of rows) {
    for (const [field, id] of [...idsIn(before), ...idsIn(after)]) {
      const table = tablesByField[field];
      if (table === undefined) continue;
      const ids = wanted.get(table) ?? new Set();
      if (ids.size < MOST_NAMED) wanted.set(table, ids.add(id));
    }
  }
  const named = await readNames(db, wanted);
  return rows.map((row) => {
    const names: Record<string, Record<string, string>> = {};
    for (const [field, id] of [...idsIn(row.before), ...idsIn(row.after)]) {
      const name = named.get(`${tablesByField[field]} ${id}`);
      if (name !== undefined) names[field] = { ...names[field], [id]: name };
    }
    return { ...row, names };
  });
}

/** The fields with an id, and those of objects in lists of what changed, such as prices. */
function idsIn(value: unknown): (readonly [string, number])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([field, held]) => {
    if (tablesByField[field] === undefined) return Array.isArray(held) ? held.flatMap(idsIn) : [];
    return [held]
      .flat()
      .filter((id): id is number => Number.isSafeInteger(id))
      .map((id) => [field, id] as const);
  });
}

async function readNames(
  db: Db,
  wanted: ReadonlyMap<Table, ReadonlySet<number>>,
): Promise<ReadonlyMap<string, string>> {
  if (wanted.size === 0) return new Map();
  const parts = [...wanted].map(([table, ids]) => {
    const { name, type } = tables[table];
    return sql`
      select ${table}::text || ' ' || wanted as key,
        coalesce(nullif(${name}, ''), ${lastNameOf(sql`${type}::text`, sql`wanted::text`)}) as name
      from unnest(${[...ids]}::bigint[]) as wanted
      left join ${sql.table(table)} on ${sql.ref(`${table}.id`)} = wanted`;
  });
  const { rows } = await sql<{ key: string; name: string | null }>`
    ${sql.join(parts, sql` union all `)}`.execute(db);
  return new Map(rows.flatMap(({ key, name }) => (name === null ? [] : [[key, name]])));
}
