import {
  type AttentionKind,
  type Cause,
  CauseDetails,
  type CauseList,
  MAX_CAUSES,
} from '@ridewatch/contract/attention';
import { type RawBuilder, sql } from 'kysely';
import { isVisibleCause } from '../access/cause.ts';
import { isOfVisibleClient } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import type { Viewer } from '../core/viewer.ts';
import { settingsAt } from '../days/bus-settings.ts';

interface CauseRow {
  readonly id: number;
  readonly details: unknown;
  readonly since: Date;
  readonly openedAt: Date;
  readonly seen: boolean;
  readonly busId: number | null;
  readonly bus: string | null;
  readonly route: string | null;
  readonly timezone: string | null;
  readonly cameraId: number | null;
  readonly camera: string | null;
  readonly live: boolean | null;
  readonly total: number;
  readonly unseen: number;
}

/**
 * Lists what needs attention now, the latest first. A bus of several customers has its cause once.
 * @param nowMs ms since 1970 UTC
 * @param most causes in the answer; totals are of all
 * @param kinds of these kinds; all unless given
 */
export async function listOpenCauses(
  db: Db,
  viewer: Viewer,
  nowMs: number,
  most = MAX_CAUSES,
  kinds?: readonly AttentionKind[],
): Promise<CauseList> {
  const isWanted = kinds === undefined ? sql`true` : sql`kind = any(${[...kinds]}::text[])`;
  const { rows } = await sql<CauseRow>`
    with seen as (select coalesce(max(seen_at), '-infinity') as at
      from attention_seen where user_id = ${viewer.userId}),
    visible as (
      select distinct on (kind, workplace_id, camera_id, subject)
        id, kind, details, since, opened_at, workplace_id, camera_id, opened_at <= seen.at as seen
      from attention_causes, seen
      where ended_at is null and ${isWanted} and ${isVisibleCause(viewer)}
      order by kind, workplace_id, camera_id, subject, id
    ),
    listed as (
      select *, count(*) over ()::int as total, (count(*) filter (where not seen) over ())::int as unseen
      from visible order by opened_at desc, id desc limit ${most}
    )
    ${shownOf(isOfVisibleClient(viewer, sql.ref('route_groups.client_id')), nowMs)}`.execute(db);
  const items = rows.map(causeOf);
  return { items, number: 0, total: rows[0]?.total ?? 0, unseen: rows[0]?.unseen ?? 0 };
}

/**
 * Causes by id, for a message; those that are gone are left out.
 * @param nowMs ms since 1970 UTC
 */
export async function listCausesById(
  db: Db,
  ids: readonly number[],
  nowMs: number,
): Promise<Cause[]> {
  const { rows } = await sql<CauseRow>`
    with listed as (select *, false as seen, 0 as total, 0 as unseen from attention_causes
      where id = any(${[...ids]}::bigint[]))
    ${shownOf(isOfCustomer, nowMs)}`.execute(db);
  return rows.map(causeOf);
}

// A message goes to the customer of its cause; those of the installation to administrators.
const isOfCustomer = sql<boolean>`(listed.client_id is null or route_groups.client_id = listed.client_id)`;

// The rows of `listed` with the names of their bus, route and camera.
function shownOf(isKnownRoute: RawBuilder<boolean>, nowMs: number): RawBuilder<unknown> {
  return sql`
    select listed.id, details, since, opened_at as "openedAt", seen, total, unseen,
      bus.id as "busId", bus.name as bus, settings.timezone, route_groups.name as route,
      cameras.id as "cameraId", cameras.name as camera, cameras.live
    from listed
    left join workplaces as bus on bus.id = listed.workplace_id
    left join lateral ${settingsAt(sql.ref('bus.id'), sql`${new Date(nowMs)}::timestamptz`)} as settings
      on bus.id is not null
    left join route_groups on route_groups.id = settings.group_id and not deleted
      and ${isKnownRoute}
    left join cameras on cameras.id = listed.camera_id
    order by listed.opened_at desc, listed.id desc`;
}

function causeOf(row: CauseRow): Cause {
  const { busId, bus, timezone, cameraId, camera } = row;
  return {
    id: row.id,
    details: CauseDetails.parse(row.details),
    since: row.since.toISOString(),
    opened_at: row.openedAt.toISOString(),
    workplace:
      busId === null || bus === null || timezone === null
        ? null
        : { id: busId, name: bus, route: row.route, timezone },
    camera:
      cameraId === null || camera === null
        ? null
        : { id: cameraId, name: camera, live: row.live ?? false },
    seen: row.seen,
  };
}

/**
 * Marks what was opened up to a moment as seen by a user.
 * @param upToMs ms since 1970 UTC
 */
export async function markCausesSeen(db: Db, userId: number, upToMs: number): Promise<void> {
  await sql`insert into attention_seen (user_id, seen_at) values (${userId}, ${new Date(upToMs)})
    on conflict (user_id) do update set seen_at = excluded.seen_at
    where attention_seen.seen_at < excluded.seen_at`.execute(db);
}
