// How long requests wait for recorded video. A unit that uploads by Wi-Fi only is heard on the road and sends no video
// there; it must not count as one that does not obey.
import { type RawBuilder, sql } from 'kysely';

/** A request for recorded video that its unit has not obeyed for this long has failed, ms. */
export const USUAL_WAIT_MS = 24 * 3_600_000;
/** The same of a unit that uploads at the depot only, where nearly every bus is within a week, ms. No unit has longer. */
export const DEPOT_WAIT_MS = 7 * USUAL_WAIT_MS;

/** Whether a unit uploads recorded video at the depot only. @param unitId its id in the query */
export const uploadsAtDepot = (unitId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from units as depot_unit where depot_unit.id = ${unitId}
    and protocol = 'jt808' and protocol_settings ->> 'uploads' = 'wifi')`;

/**
 * The moment before which requests to a unit have waited too long.
 * @param nowMs the present, ms since 1970 UTC
 * @param unitId the unit's id in the query
 */
export const waitedTooLong = (nowMs: number, unitId: RawBuilder<unknown>): RawBuilder<Date> =>
  sql<Date>`(case when ${uploadsAtDepot(unitId)} then ${new Date(nowMs - DEPOT_WAIT_MS)}::timestamptz
    else ${new Date(nowMs - USUAL_WAIT_MS)}::timestamptz end)`;
