// The present names of the objects that commands have as ids in what they changed.
import type { AuditRow } from '@ridewatch/contract/admin-audit';
import { type RawBuilder, sql } from 'kysely';
import { clientName } from '../access/client.ts';
import type { Db } from '../core/db/db.ts';

/** Most ids of a kind of object that an answer names; the others stay numbers. */
const MOST_NAMED = 5_000;

const tables = {
  clients: clientName,
  workplaces: sql`workplaces.name`,
  cameras: sql`cameras.name`,
  units: sql`units.device_id`,
  users: sql`users.login`,
  route_groups: sql`route_groups.name`,
  stop_classifiers: sql`stop_classifiers.name`,
  route_stops: sql`(select name from route_stop_versions where stop_id = route_stops.id
    order by valid_from desc limit 1)`,
} as const satisfies Record<string, RawBuilder<unknown>>;
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
  const parts = [...wanted].map(
    ([table, ids]) => sql`
      select ${table}::text || ' ' || id as key, ${tables[table]} as name
      from ${sql.table(table)} where id = any(${[...ids]}::bigint[])`,
  );
  const { rows } = await sql<{ key: string; name: string }>`
    ${sql.join(parts, sql` union all `)}`.execute(db);
  return new Map(rows.map(({ key, name }) => [key, name]));
}
