// The numbers by which upstreams know buses, as SQL. A bus has one of its own at an upstream, or that of its unit in EGTS.
import { type RawBuilder, sql } from 'kysely';

/** The number that a unit brings, as SQL of the table `units`; null for most. An id of 15 digits is that of a modem. */
export const unitNumber = sql<number | null>`case
  when units.protocol = 'egts' and units.protocol_id ~ '^[1-9][0-9]{0,9}$'
    and units.protocol_id::bigint < 4294967296 then units.protocol_id::bigint end`;

/**
 * The number that a bus has at an upstream by its unit, as SQL of the table `units`: none while another bus in the fleet has
 * that number of its own there.
 * @param upstreamId a bigint
 * @param busId a bigint
 */
export function freeUnitNumber(
  upstreamId: RawBuilder<unknown>,
  busId: RawBuilder<unknown>,
): RawBuilder<number | null> {
  return sql<number | null>`case when not exists (
    select from upstream_buses as taken
    join workplaces as holder on holder.id = taken.workplace_id and holder.retired_at is null
    where taken.upstream_id = ${upstreamId} and taken.object_id = ${unitNumber}
      and taken.workplace_id <> ${busId}) then ${unitNumber} end`;
}

/**
 * The number of a bus at an upstream, as SQL of the table `units` and of `numbered`, its row of `upstream_buses` if any.
 * @param upstreamId a bigint
 * @param busId a bigint
 */
export const objectNumber = (
  upstreamId: RawBuilder<unknown>,
  busId: RawBuilder<unknown>,
): RawBuilder<number | null> =>
  sql<number | null>`coalesce(numbered.object_id, ${freeUnitNumber(upstreamId, busId)})`;
