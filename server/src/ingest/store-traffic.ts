import type { CameraStateRecord, PassengerRecord } from '@ridewatch/contract/unit';
import { sql } from 'kysely';
import { createDayFinder, type ZoneSpan } from '../bus-days.ts';
import type { Db } from '../db.ts';
import { type Incoming, isOfPresent } from './incoming.ts';

const HOUR_MS = 3_600_000;

export interface Source {
  readonly unitId: number;
  readonly streamId: number;
  readonly workplaceId: number | null;
}

/**
 * Stores passenger events and adds them to the hours of the bus, in one transaction.
 * @param zones of the bus; the hours are those of its local day
 * @returns the local days that changed
 */
export async function insertPassengers(
  tx: Db,
  { unitId, streamId, workplaceId }: Source,
  events: readonly Incoming<PassengerRecord>[],
  zones: readonly ZoneSpan[],
): Promise<Set<string>> {
  if (events.length === 0) return new Set();
  const column = <T>(pick: (event: Incoming<PassengerRecord>) => T): T[] => events.map(pick);
  await sql`
    insert into passenger_events
      (unit_id, stream_id, workplace_id, seq, sent_time, time, door, direction, passenger, count)
    select ${unitId}::bigint, ${streamId}::bigint, ${workplaceId}::bigint, * from unnest(
      ${column(({ record }) => record.seq)}::bigint[],
      ${column(({ sentMs }) => new Date(sentMs))}::timestamptz[],
      ${column(({ timeMs }) => new Date(timeMs))}::timestamptz[],
      ${column(({ record }) => record.door)}::smallint[],
      ${column(({ record }) => record.direction)}::text[],
      ${column(({ record }) => record.passenger)}::text[],
      ${column(({ record }) => record.count)}::smallint[])`.execute(tx);
  if (workplaceId === null) return new Set();
  return addToHours(tx, workplaceId, events, zones);
}

interface HourSum {
  entered_adults: number;
  entered_kids: number;
  exited_adults: number;
  exited_kids: number;
}

/**
 * What passengers add to the hours of a bus.
 * @returns the hours' starts, ms since 1970 UTC and ascending, what each gets, and the local days that change
 */
export function sumHours(
  events: readonly Incoming<PassengerRecord>[],
  zones: readonly ZoneSpan[],
): { hours: number[]; sums: HourSum[]; days: Set<string> } {
  const localDay = createDayFinder(zones);
  const hours = new Map<number, HourSum>();
  const days = new Set<string>();
  for (const { record, timeMs } of events) {
    const { day, startMs } = localDay(timeMs);
    days.add(day);
    const hourMs = startMs + Math.floor((timeMs - startMs) / HOUR_MS) * HOUR_MS;
    const sum = hours.get(hourMs) ?? {
      entered_adults: 0,
      entered_kids: 0,
      exited_adults: 0,
      exited_kids: 0,
    };
    sum[`${record.direction}_${record.passenger === 'adult' ? 'adults' : 'kids'}`] += record.count;
    hours.set(hourMs, sum);
  }
  // Everybody who adds to several hours takes them in one order.
  const ordered = [...hours].sort(([a], [b]) => a - b);
  return { hours: ordered.map(([ms]) => ms), sums: ordered.map(([, sum]) => sum), days };
}

async function addToHours(
  tx: Db,
  workplaceId: number,
  events: readonly Incoming<PassengerRecord>[],
  zones: readonly ZoneSpan[],
): Promise<Set<string>> {
  const { hours, sums, days } = sumHours(events, zones);
  const column = (pick: (sum: HourSum) => number): number[] => sums.map(pick);
  await sql`
    insert into hourly_traffic as kept
      (workplace_id, hour_start, entered_adults, entered_kids, exited_adults, exited_kids)
    select ${workplaceId}::bigint, * from unnest(
      ${hours.map((ms) => new Date(ms))}::timestamptz[],
      ${column((sum) => sum.entered_adults)}::int[], ${column((sum) => sum.entered_kids)}::int[],
      ${column((sum) => sum.exited_adults)}::int[], ${column((sum) => sum.exited_kids)}::int[])
    on conflict (workplace_id, hour_start) do update set
      entered_adults = kept.entered_adults + excluded.entered_adults,
      entered_kids = kept.entered_kids + excluded.entered_kids,
      exited_adults = kept.exited_adults + excluded.exited_adults,
      exited_kids = kept.exited_kids + excluded.exited_kids`.execute(tx);
  return days;
}

/**
 * Stores what cameras said of themselves; the newest by corrected time is the camera's state.
 * @param receivedMs the server's clock when the batch arrived
 */
export async function insertCameraStates(
  tx: Db,
  { unitId, streamId }: Source,
  states: readonly Incoming<CameraStateRecord>[],
  cameraIds: ReadonlyMap<string, number>,
  receivedMs: number,
): Promise<void> {
  if (states.length === 0) return;
  const idOf = ({ record }: Incoming<CameraStateRecord>): number | null =>
    cameraIds.get(record.camera) ?? null;
  await sql`
    insert into camera_states (unit_id, stream_id, seq, sent_time, time, camera_id, status)
    select ${unitId}::bigint, ${streamId}::bigint, * from unnest(
      ${states.map(({ record }) => record.seq)}::bigint[],
      ${states.map(({ sentMs }) => new Date(sentMs))}::timestamptz[],
      ${states.map(({ timeMs }) => new Date(timeMs))}::timestamptz[],
      ${states.map(idOf)}::bigint[],
      ${states.map(({ record }) => record.status)}::text[])`.execute(tx);
  const present = states.filter((state) => isOfPresent(state, receivedMs));
  await sql`
    update cameras set status = said.status, status_at = said.time
    from (
      select distinct on (camera_id) camera_id, status, least(time, ${new Date(receivedMs)}) as time
      from unnest(${present.map(idOf)}::bigint[],
        ${present.map(({ record }) => record.status)}::text[],
        ${present.map(({ timeMs }) => new Date(timeMs))}::timestamptz[])
        as t (camera_id, status, time)
      order by camera_id, t.time desc, status
    ) as said
    where cameras.id = said.camera_id
      and (status_at is null or (status_at, cameras.status) < (said.time, said.status))`.execute(
    tx,
  );
}
