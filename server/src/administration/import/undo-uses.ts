// Says what depends on an object that a table has created, in the words of the contract.
import { UndoReason } from '@ridewatch/contract/admin-import-undo';
import { sql } from 'kysely';
import type { Tx } from '../../core/db/db.ts';

/** The tables whose rows refer to such objects and stay, by what they hold. */
const tables: Partial<Record<UndoReason, readonly string[]>> = {
  customers: ['integrator_clients'],
  users: ['users'],
  buses: ['bus_owners', 'workplace_settings'],
  units: ['units'],
  cameras: ['cameras'],
  routes: ['route_groups'],
  stops: ['route_stops', 'route_patterns', 'route_tracks', 'stop_classifiers'],
  keys: ['api_keys'],
  settings: ['client_retention'],
  records: [
    ...['aside_records', 'unit_streams', 'unit_feed', 'bus_days', 'halts', 'hourly_traffic'],
    ...['month_profiles', 'day_traffic', 'route_traffic', 'counter_readings'],
  ],
  commands: ['unit_commands'],
  video: [
    ...['segments', 'segment_announcements', 'uploads', 'live_streams', 'merge_requests'],
    'preloads',
  ],
  laps: ['laps', 'lap_recalculations', 'recalculations'],
  money: ['calculations', 'calculation_changes', 'route_calculations', 'route_costs'],
  counts: ['manual_counts'],
  sign_ins: ['sessions', 'second_factors', 'news_reads', 'message_closings'],
  reports: ['reports'],
  tables: ['imports'],
};

const reasonOf: ReadonlyMap<string, UndoReason> = new Map(
  UndoReason.options.flatMap((reason) => (tables[reason] ?? []).map((table) => [table, reason])),
);

/** The word for a use of an object by rows of a table; `used` where there is none. @param table without its schema */
export const useBy = (table: string): UndoReason => reasonOf.get(table) ?? 'used';

/**
 * Lists what refers to rows of a table and keeps them from being deleted.
 * @param ids of the rows, some hundred at most
 * @param created ids of rows by their tables, which count as no use
 */
export async function listUses(
  tx: Tx,
  table: string,
  ids: readonly number[],
  created: ReadonlyMap<string, readonly number[]>,
): Promise<{ readonly id: number; readonly reason: UndoReason }[]> {
  const { rows: references } = await sql<{ by: string; column: string }>`
    select conrelid::regclass::text as by, attname as column
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confdeltype <> 'c' and confrelid = ${table}::regclass
    order by by, attname`.execute(tx);
  const uses = references.map(({ by, column }) => {
    const own = created.get(by);
    return sql`select distinct ${sql.ref(column)} as id, ${by}::text as by from ${sql.table(by)}
      where ${sql.ref(column)} = any(${[...ids]}::bigint[])
        and ${own ? sql`id <> all(${[...own]}::bigint[])` : sql`true`}`;
  });
  const { rows } = await sql<{ id: number; by: string }>`
    select id, by from (${sql.join(uses, sql` union all `)}) as uses order by id, by`.execute(tx);
  return rows.map(({ id, by }) => ({ id, reason: useBy(by) }));
}
