import { ARRIVALS_KEPT_MS, type Arrivals, type FirstSteps } from '@ridewatch/contract/first-steps';
import { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { sql } from 'kysely';
import type { Administered, UnitRow } from '../access/administration.ts';
import { listClosedPorts } from '../core/closed-ports.ts';
import type { Db } from '../core/db/db.ts';
import type { Deps } from '../deps.ts';

/** Ports that carry a unit's own data are named by their protocol. */
const protocols: readonly string[] = UnitProtocol.options;

/** How far the installation has come, from what is stored and configured. */
export async function readFirstSteps({
  config,
  database: { db },
  clock,
}: Pick<Deps, 'config' | 'database' | 'clock'>): Promise<FirstSteps> {
  const { rows } = await sql<Omit<FirstSteps, 'closed_ports' | 'off_protocols'>>`
    select
      (select jsonb_build_object('id', id, 'name', name)
        from clients order by id limit 1) as customer,
      (select jsonb_build_object('id', id, 'name', name)
        from workplaces where retired_at is null order by id limit 1) as bus,
      (select jsonb_build_object('id', id, 'name', device_id)
        from units where workplace_id is not null and (protocol is not null or exists (
          select from unit_credentials where unit_id = units.id and revoked_at is null
            and (expires_at is null or expires_at > ${new Date(clock.nowMs())}::timestamptz)))
        order by id limit 1) as unit,
      (select jsonb_build_object('id', id, 'name', device_id,
          'lacks', case when workplace_id is null then 'bus' else 'credential' end)
        from units where enabled order by workplace_id is null, id limit 1) as unfinished_unit,
      (select jsonb_build_object('id', id, 'name', name)
        from cameras order by id limit 1) as camera,
      exists (select from units where workplace_id is not null and last_latitude is not null)
        as has_position,
      exists (select from hourly_traffic) as has_count`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The statement has no row.');
  const closed = await listClosedPorts(db);
  return {
    ...row,
    unfinished_unit: row.unit === null ? row.unfinished_unit : null,
    closed_ports: closed.filter(({ listener }) => protocols.includes(listener)),
    off_protocols: [
      ...(config.egtsPort === 0 ? (['egts'] as const) : []),
      ...(config.jt808Port === 0 ? (['jt808'] as const) : []),
    ],
  };
}

/** Reads what a unit sent last, and what was refused. @param nowMs ms since 1970 UTC */
export async function readArrivals(
  db: Db,
  unit: Administered<UnitRow>,
  nowMs: number,
): Promise<Arrivals> {
  const known = await db
    .selectFrom('units')
    .select(['workplace_id', 'last_seen_at', 'last_fix_at', 'last_latitude', 'last_longitude'])
    .select(['clock_offset_ms'])
    .select((eb) =>
      eb
        .selectFrom('unit_credentials')
        .select((of) => of.fn.max('refused_at').as('refused_at'))
        .where('unit_id', '=', unit.id)
        .as('refused_at'),
    )
    .select((eb) =>
      eb.selectFrom('unknown_credentials').select('refused_at').as('unknown_refused_at'),
    )
    .where('id', '=', unit.id)
    .executeTakeFirstOrThrow();
  const { workplace_id, last_seen_at, last_fix_at, last_latitude, last_longitude } = known;
  // People of a unit without a bus are kept for its first one.
  const counted = await db
    .selectFrom('passenger_events')
    .select('time')
    .where('workplace_id', workplace_id === null ? 'is' : '=', workplace_id)
    .where('unit_id', '=', unit.id)
    .where('time', '>', new Date(nowMs - ARRIVALS_KEPT_MS))
    .orderBy('time', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    last_seen_at: last_seen_at?.toISOString() ?? null,
    position:
      last_fix_at === null || last_latitude === null || last_longitude === null
        ? null
        : { at: last_fix_at.toISOString(), latitude: last_latitude, longitude: last_longitude },
    counted_at: counted?.time.toISOString() ?? null,
    refused_at: known.refused_at?.toISOString() ?? null,
    unknown_refused_at: known.unknown_refused_at?.toISOString() ?? null,
    clock_offset_ms: known.clock_offset_ms,
  };
}
