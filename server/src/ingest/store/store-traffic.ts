import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import { boardingOf } from '../../counts/effective.ts';
import { type HourSum, sumHours } from '../../counts/hours.ts';
import type { Shifts } from '../../counts/shifts.ts';
import { createDayFinder, sourceAt, type ZoneSpan } from '../../days/bus-days.ts';
import { type CameraStateRecord, isOfPresent, type PassengerRecord } from './records.ts';

export interface Source {
  readonly unitId: number;
  readonly streamId: number;
  readonly busId: number | null;
  /** The unit is in test mode: a release gives the events to its bus. */
  readonly isTest: boolean;
}

/** Stores passenger events as sent. */
export async function insertPassengers(
  tx: Db,
  { unitId, streamId, busId, isTest }: Source,
  events: readonly PassengerRecord[],
): Promise<void> {
  if (events.length === 0) return;
  const column = <T>(pick: (event: PassengerRecord) => T): T[] => events.map(pick);
  await sql`
    insert into passenger_events
      (unit_id, stream_id, workplace_id, in_test, seq, sent_time, time, door, direction, passenger, count)
    select ${unitId}::bigint, ${streamId}::bigint, ${busId}::bigint, ${isTest}, * from unnest(
      ${column(({ seq }) => seq)}::bigint[],
      ${column(({ sentMs }) => new Date(sentMs))}::timestamptz[],
      ${column(({ timeMs }) => new Date(timeMs))}::timestamptz[],
      ${column(({ door }) => door)}::smallint[],
      ${column(({ direction }) => direction)}::text[],
      ${column(({ passenger }) => passenger)}::text[],
      ${column(({ count }) => count)}::smallint[])`.execute(tx);
}

/**
 * Works out what passengers of a unit add to the effective hours of a bus without manual counts.
 * @param shifts of the days of the events
 * @returns the hours, and the local days that change
 */
export function hoursOf(
  unitId: number,
  events: readonly PassengerRecord[],
  zones: readonly ZoneSpan[],
  shifts: Shifts,
): { hours: HourSum[]; days: Set<string> } {
  const localDay = createDayFinder(zones);
  const boarding = events
    .filter(({ timeMs }) => sourceAt(zones, timeMs) === 'unit')
    .map((event) => boardingOf({ unitId, ...event }));
  const days = new Set(events.map(({ timeMs }) => localDay(timeMs).day));
  return { hours: sumHours(boarding, zones, shifts), days };
}

/**
 * Stores camera states; the newest by corrected time is the camera's state.
 * @param receivedMs the server's clock at the batch's arrival
 */
export async function insertCameraStates(
  tx: Db,
  { unitId, streamId }: Source,
  states: readonly CameraStateRecord[],
  cameraIds: ReadonlyMap<string, number>,
  receivedMs: number,
): Promise<void> {
  if (states.length === 0) return;
  const idOf = ({ camera }: CameraStateRecord): number | null => cameraIds.get(camera) ?? null;
  await sql`
    insert into camera_states (unit_id, stream_id, seq, sent_time, time, camera_id, status)
    select ${unitId}::bigint, ${streamId}::bigint, * from unnest(
      ${states.map(({ seq }) => seq)}::bigint[],
      ${states.map(({ sentMs }) => new Date(sentMs))}::timestamptz[],
      ${states.map(({ timeMs }) => new Date(timeMs))}::timestamptz[],
      ${states.map(idOf)}::bigint[],
      ${states.map(({ status }) => status)}::text[])`.execute(tx);
  const present = states.filter((state) => isOfPresent(state, receivedMs));
  await sql`
    update cameras set status = said.status, status_at = said.time,
      offline_since = case when said.status = 'offline' then coalesce(offline_since, said.time) end
    from (
      select distinct on (camera_id) camera_id, status, least(time, ${new Date(receivedMs)}) as time
      from unnest(${present.map(idOf)}::bigint[],
        ${present.map(({ status }) => status)}::text[],
        ${present.map(({ timeMs }) => new Date(timeMs))}::timestamptz[])
        as t (camera_id, status, time)
      order by camera_id, t.time desc, status
    ) as said
    where cameras.id = said.camera_id
      and (status_at is null or (status_at, cameras.status) < (said.time, said.status))`.execute(
    tx,
  );
}
