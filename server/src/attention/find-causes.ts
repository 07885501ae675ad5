import {
  ATTENTION_DEFAULTS,
  type CauseDetails,
  LEAST_COUNTED_PEOPLE,
} from '@ridewatch/contract/attention';
import { MOVING_MS, SILENT_AFTER_MS } from '@ridewatch/contract/buses';
import { UNKNOWN_OBJECT } from '@ridewatch/contract/egts-result-words';
import { type RawBuilder, sql } from 'kysely';
import { settingsAt } from '../days/bus-settings.ts';
import { WEEKS_BEFORE } from '../figures/silence.ts';
import { wantedUnregistered } from '../retranslation/unregistered.ts';
import { waitingOf } from '../retranslation/waiting.ts';

/** How long a failed merge needs attention unless it is requested again, ms. */
const MERGE_FAILED_MS = 24 * 3_600_000;

/** An API key needs attention so many days before its end, and after it. */
const API_KEY_DAYS = 7;

/** Ids that no unit has need attention so long after they were heard, and begin to while they are heard, ms. */
const KNOCKED_MS = 24 * 3_600_000;
const KNOCKING_MS = 3_600_000;

/** A refusal of an upstream needs attention for so long, ms. */
const REFUSED_MS = 24 * 3_600_000;

/** A silent bus this close to a stop is said to have been there, m. */
const NEAR_M = 400;
/** Length of a degree of latitude, m. */
const M_PER_DEGREE = 111_195;

/** A cause of the installation. */
export interface OwnCause {
  readonly subject: string;
  readonly since: Date;
  readonly details: CauseDetails;
  /** False: it only goes on if it is open. */
  readonly opens: boolean;
}

interface Present {
  readonly nowMs: number;
  /** From when on the job has looked every minute, ms since 1970 UTC. */
  readonly watchedSinceMs: number;
}

/**
 * Finds what needs attention now, as a query with the columns of attention_causes, and `opens`: false where a cause
 * only goes on if it is open. Retired buses have no causes: the lists leave them out, and their units may never be
 * heard again.
 * @param own causes of the installation
 */
export function findCauses(present: Present, own: readonly OwnCause[]): RawBuilder<unknown> {
  const now = sql<Date>`${new Date(present.nowMs)}::timestamptz`;
  return sql`
    with bus as materialized (
      select bus.id, owner.client_id, settings.timezone,
        ${now} at time zone settings.timezone as local_now, unit.last_seen_at, unit.last_moved_at,
        case when coalesce(route.client_id = owner.client_id, true) then settings.group_id end as group_id,
        owner.client_id is null or exists (select from bus_owners as of_day
          where of_day.workplace_id = bus.id and of_day.client_id = owner.client_id
            and (${now} at time zone settings.timezone)::date between of_day.from_day and of_day.to_day) as owns_day,
        unit.last_latitude, unit.last_longitude,
        make_interval(mins => coalesce(own.silent_minutes, ${ATTENTION_DEFAULTS.silent_minutes})) as silent_for,
        make_interval(mins => coalesce(own.camera_minutes, ${ATTENTION_DEFAULTS.camera_minutes})) as offline_for,
        coalesce(own.imbalance_percent, ${ATTENTION_DEFAULTS.imbalance_percent}) / 100.0 as imbalance
      from workplaces as bus
      join units as unit on unit.workplace_id = bus.id and unit.enabled and unit.last_seen_at is not null
      left join workplace_clients as owner on owner.workplace_id = bus.id
      left join clients on clients.id = owner.client_id
      left join attention_settings as own on coalesce(own.client_id, 0) = coalesce(owner.client_id, 0)
      cross join lateral ${settingsAt(sql.ref('bus.id'), now)} as settings
      left join route_groups as route on route.id = settings.group_id
      where bus.retired_at is null
        and (clients.id is null or (clients.enabled and clients.status in (1, 2)))
    )
    ${silentBuses(now, present)}
    union all ${offlineCameras(now)}
    union all ${imbalances()}
    union all ${failedMerges(now)}
    union all ${endingKeys(now)}
    union all ${unknownUnits(now)}
    union all ${lateUpstreams(now)}
    union all ${refusingUpstreams(now)}
    union all ${oddCounters()}
    union all
    select details ->> 'kind', null, null, null, subject, since, details, opens
    from json_to_recordset(${JSON.stringify(own)}::json)
      as own (subject text, since timestamptz, details jsonb, opens boolean)`;
}

// A bus should send if it drove when it was last heard. It should also send if in one of the weeks before it sent in
// this hour and in the hour before: then its first drive of the day has usually begun. An open cause goes on until the
// unit is heard.
function silentBuses(now: RawBuilder<Date>, { watchedSinceMs }: Present): RawBuilder<unknown> {
  return sql`
    select 'silent_bus' as kind, client_id, id as workplace_id, null::bigint as camera_id, '' as subject,
      last_seen_at as since,
      jsonb_build_object('kind', 'silent_bus', 'drove', drove, 'place', nearest.name) as details,
      greatest(last_seen_at, ${new Date(watchedSinceMs)}) <= ${now} - silent_for
        and (drove or ${isUsual()}) as opens
    from bus
    cross join lateral (select coalesce(
      last_moved_at >= last_seen_at - ${MOVING_MS}::float8 * interval '1 ms', false) as drove) as last
    left join lateral ${nearestStop()} as nearest on nearest.metres <= ${NEAR_M}::float8
    where last_seen_at <= ${now} - silent_for`;
}

// The stop of its present route that is nearest to the last position, with the distance on a plain.
function nearestStop(): RawBuilder<unknown> {
  return sql`(
    select stop.name, ${M_PER_DEGREE}::float8 * sqrt((stop.latitude - bus.last_latitude) ^ 2
      + ((stop.longitude - bus.last_longitude) * cosd(bus.last_latitude)) ^ 2) as metres
    from route_stops join route_stop_versions as stop on stop.stop_id = route_stops.id
    where route_stops.group_id = bus.group_id and stop.valid_from <= bus.local_now::date
      and (stop.valid_to is null or stop.valid_to > bus.local_now::date)
    order by metres limit 1
  )`;
}

function isUsual(): RawBuilder<boolean> {
  const heardAt = (moment: RawBuilder<unknown>) => sql`exists (select from day_traffic as earlier
    where earlier.workplace_id = bus.id and earlier.day = (${moment})::date - 7 * week
      and earlier.heard & (1 << extract(hour from ${moment})::int) <> 0)`;
  return sql<boolean>`exists (select from generate_series(1, ${WEEKS_BEFORE}::int) as week
    where ${heardAt(sql`local_now`)} and ${heardAt(sql`local_now - interval '1 hour'`)})`;
}

// The cameras of a silent unit are unknown: none is new, and an open cause goes on.
function offlineCameras(now: RawBuilder<Date>): RawBuilder<unknown> {
  return sql`
    select 'camera_offline', client_id, bus.id, cameras.id, '', offline_since,
      jsonb_build_object('kind', 'camera_offline'),
      last_seen_at > ${now} - ${SILENT_AFTER_MS}::float8 * interval '1 ms'
    from bus join cameras on cameras.workplace_id = bus.id
    where cameras.enabled and cameras.status = 'offline' and offline_since <= ${now} - offline_for`;
}

// The ended laps of the day, as on the board.
function imbalances(): RawBuilder<unknown> {
  return sql`
    select 'imbalance', client_id, bus.id, null, local_now::date::text, driven.since,
      jsonb_build_object('kind', 'imbalance', 'day', local_now::date::text, 'entered', driven.entered,
        'exited', driven.exited, 'percent', round(100 * share)), true
    from bus
    cross join lateral (
      select sum(entered)::int as entered, sum(exited)::int as exited, max(end_time) as since
      from laps where workplace_id = bus.id and day = local_now::date and not open
    ) as driven
    cross join lateral (select abs(driven.entered - driven.exited)::numeric
      / nullif(greatest(driven.entered, driven.exited), 0) as share) as difference
    where owns_day and greatest(driven.entered, driven.exited) >= ${LEAST_COUNTED_PEOPLE}::int
      and share > imbalance`;
}

// An ended key stays as long as it was announced: its program has just stopped.
function endingKeys(now: RawBuilder<Date>): RawBuilder<unknown> {
  const span = sql`${API_KEY_DAYS}::int * interval '1 day'`;
  return sql`
    select 'runs_out', client_id, null, null, 'api_key ' || api_keys.id, expires_at - ${span},
      jsonb_build_object('kind', 'runs_out', 'what', 'api_key', 'name', api_keys.name,
        'days', floor(extract(epoch from expires_at - ${now}) / 86400)), true
    from api_keys join clients on clients.id = client_id
    where revoked_at is null and expires_at between ${now} - ${span} and ${now} + ${span}
      and clients.enabled and clients.status in (1, 2)`;
}

// One cause for all of them: a platform may pass on hundreds of buses of others. It names the one that was heard first, whose
// first moment is its beginning. An id of OsmAnd is as good as a password, and causes are sent by mail and to programs: they
// have its beginning.
function unknownUnits(now: RawBuilder<Date>): RawBuilder<unknown> {
  return sql`
    select 'unknown_unit', null::bigint, null, null, '', min(first_at),
      jsonb_build_object('kind', 'unknown_unit', 'count', count(*),
        'name', (array_agg(case when protocol = 'osmand'
            then left(protocol_id, least(4, length(protocol_id) / 2)) || '…' else protocol_id end
          order by first_at, id))[1],
        'protocol', (array_agg(protocol order by first_at, id))[1]),
      max(last_at) > ${now} - ${KNOCKING_MS}::float8 * interval '1 ms'
    from unknown_units
    where not ignored and last_at > ${now} - ${KNOCKED_MS}::float8 * interval '1 ms'
    having count(*) > 0`;
}

// A changed setting ends it at once: the check was of another one.
function oddCounters(): RawBuilder<unknown> {
  return sql`
    select 'odd_counter', null::bigint, bus.id, null, 'unit ' || units.id, odd.found_at,
      jsonb_build_object('kind', 'odd_counter', 'unit_id', units.id, 'looks', odd.looks), true
    from counter_checks as odd
    join units on units.id = odd.unit_id and units.protocol = 'egts'
      and coalesce(units.protocol_settings ->> 'counts', 'delta') = odd.counts
    join (select distinct id from bus) as bus on bus.id = units.workplace_id
    where odd.looks is not null`;
}

// The oldest waiting record says since when: stored, or back in the queue. What is off is not late.
function lateUpstreams(now: RawBuilder<Date>): RawBuilder<unknown> {
  return sql`
    select 'upstream_late', null::bigint, null, null, 'upstream ' || upstreams.id, waiting.since,
      jsonb_build_object('kind', 'upstream_late', 'name', upstreams.name, 'upstream_id', upstreams.id), true
    from upstreams cross join lateral ${waitingOf(sql.ref('upstreams.id'))} as waiting
    where enabled and waiting.since <= ${now} - make_interval(mins => late_minutes)`;
}

// Buses that an upstream does not know, while their records are kept; another refusal for a day. What is off refuses nothing.
function refusingUpstreams(now: RawBuilder<Date>): RawBuilder<unknown> {
  const subject = (code: RawBuilder<unknown>) =>
    sql`'upstream ' || upstreams.id || ' ' || ${code}::int`;
  const details = (code: RawBuilder<unknown>, number: RawBuilder<unknown>) =>
    sql`jsonb_build_object('kind', 'upstream_refuses', 'name', upstreams.name, 'upstream_id', upstreams.id,
      'code', ${code}::int, 'number', ${number})`;
  return sql`
    select 'upstream_refuses', null::bigint, null, null, ${subject(sql`${UNKNOWN_OBJECT}`)}, oldest.stored_at,
      ${details(sql`${UNKNOWN_OBJECT}`, sql`counted.buses`)}, true
    from upstreams
    cross join lateral (select stored_at from upstream_unregistered
      where upstream_id = upstreams.id order by id limit 1) as oldest
    cross join lateral (select count(*)::int as buses from ${wantedUnregistered(sql.ref('upstreams.id'))} as wanted) as counted
    where enabled and counted.buses > 0
    union all
    select 'upstream_refuses', null::bigint, null, null, ${subject(sql`code`)}, last_at,
      ${details(sql`code`, sql`records`)}, true
    from upstreams join upstream_refusals as refused on refused.upstream_id = upstreams.id
    where enabled and code <> ${UNKNOWN_OBJECT} and last_at > ${now} - ${REFUSED_MS}::float8 * interval '1 ms'`;
}

function failedMerges(now: RawBuilder<Date>): RawBuilder<unknown> {
  return sql`
    select 'merge_failed', merge.client_id, cameras.workplace_id, cameras.id, merge.id::text, merge.completed_at,
      jsonb_build_object('kind', 'merge_failed', 'merge_id', merge.id, 'reason', merge.fail_reason,
        'from', to_char(merge.from_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'to', to_char(merge.to_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), true
    from merge_requests as merge
    join cameras on cameras.id = merge.camera_id
    join workplaces as bus on bus.id = cameras.workplace_id and bus.retired_at is null
    where merge.status = 'FAILED' and merge.fail_reason <> 'cancelled'
      and merge.completed_at > ${now} - ${MERGE_FAILED_MS}::float8 * interval '1 ms'
      and not exists (select from merge_requests as later
        where later.camera_id = merge.camera_id and later.client_id is not distinct from merge.client_id
          and later.from_time = merge.from_time and later.to_time = merge.to_time and later.id > merge.id)`;
}
