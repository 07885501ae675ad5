import type { ReviewItem } from '@ridewatch/contract/review';
import { sql } from 'kysely';
import { isOwnMoment } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import type { Viewer } from '../core/viewer.ts';
import { settingsAt } from '../days/bus-settings.ts';
import { WAITS } from './saved-counts.ts';

/** A page of the queue: after the fragment `after`, or from `from` on. */
export interface QueueQuestion {
  readonly after: number | undefined;
  readonly from: number | undefined;
  readonly size: number;
}

// Picks fragments of the queue before or after one, in its order.
const upTo = (id: number, comparison: '<' | '<=' | '>' | '>=') =>
  sql`(start_time, segments.id) ${sql.raw(comparison)} (select start_time, id from segments where id = ${id})`;

/** The fragments that wait for review in the user's scope, the latest first, and how many are later than these. */
export async function listWaiting(
  db: Db,
  viewer: Viewer,
  { after, from, size }: QueueQuestion,
): Promise<{ items: ReviewItem[]; total: number; newer: number }> {
  const behind = [
    ...(after === undefined ? [] : [upTo(after, '<')]),
    ...(from === undefined ? [] : [upTo(from, '<=')]),
  ];
  const ahead = [
    ...(after === undefined ? [] : [upTo(after, '>=')]),
    ...(from === undefined ? [] : [upTo(from, '>')]),
  ];
  const visible = isOwnMoment(viewer, sql.ref('cameras.workplace_id'), sql.ref('start_time'));
  const { rows } = await sql<
    Omit<ReviewItem, 'start_time' | 'end_time'> & { startAt: Date; endAt: Date }
  >`
    select segments.id as segment_id, workplaces.id as workplace_id, workplaces.name as bus,
      cameras.id as camera_id, cameras.name as camera, start_time as "startAt", end_time as "endAt",
      timezone, max_objects_count
    from segments
    join cameras on cameras.id = segments.camera_id and not cameras.live
    join workplaces on workplaces.id = cameras.workplace_id
    cross join lateral ${settingsAt(sql.ref('workplaces.id'), sql.ref('start_time'))} as settings
    where ${sql.join([WAITS, visible, ...behind], sql` and `)}
    order by start_time desc, segments.id desc limit ${size}`.execute(db);
  const isAhead = ahead.length === 0 ? sql`false` : sql.join(ahead, sql` or `);
  const counted = await sql<{ total: number; newer: number }>`
    select count(*)::int as total, count(*) filter (where ${isAhead})::int as newer from segments
    join cameras on cameras.id = segments.camera_id and not cameras.live
    where ${WAITS} and ${visible}`.execute(db);
  return {
    items: rows.map(({ startAt, endAt, ...item }) => ({
      ...item,
      start_time: startAt.toISOString(),
      end_time: endAt.toISOString(),
    })),
    total: counted.rows[0]?.total ?? 0,
    newer: counted.rows[0]?.newer ?? 0,
  };
}

/** How many fragments a user has reviewed since a moment (ms since 1970 UTC). */
export async function countReviewed(db: Db, userId: number, sinceMs: number): Promise<number> {
  const { count } = await db
    .selectFrom('segments')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('reviewed_by', '=', userId)
    .where('reviewed_at', '>=', new Date(sinceMs))
    .executeTakeFirstOrThrow();
  return count;
}

/** Lists who reviewed fragments in the user's scope since a moment (ms since 1970 UTC), the most first. */
export async function listReviewers(
  db: Db,
  viewer: Viewer,
  sinceMs: number,
): Promise<{ login: string; reviewed: number }[]> {
  const { rows } = await sql<{ login: string; reviewed: number }>`
    select users.login, count(*)::int as reviewed
    from users join segments on segments.reviewed_by = users.id
    join cameras on cameras.id = segments.camera_id
    where segments.reviewed_at >= ${new Date(sinceMs)}
      and ${isOwnMoment(viewer, sql.ref('cameras.workplace_id'), sql.ref('segments.start_time'))}
    group by users.login order by reviewed desc, users.login`.execute(db);
  return rows;
}
