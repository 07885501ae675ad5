import { ATTENTION_THRESHOLD } from '@ridewatch/contract/fragment-states';
import { type RawBuilder, sql } from 'kysely';
import type { FragmentRow } from '../access/fragment.ts';
import { type Editable, isOwnMoment, type Visible } from '../access/visible.ts';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { noteCounted, rebuildHours } from '../counts/rebuild-hours.ts';
import { bumpDaysBetween, createDayFinder, listZoneSpans, lockBatches } from '../days/bus-days.ts';
import { LAP_MARGIN_MS, requestLaps } from '../days/due-laps.ts';

/** Whether a row of segments waits for review. It matches the index of the migration. */
export const WAITS = sql<boolean>`reviewed_at is null and max_objects_count > ${sql.lit(ATTENTION_THRESHOLD)}
  and segments.status in ('PROCESSED', 'MERGING', 'WAS_MERGED')`;

const isOwn = (viewer: Viewer): RawBuilder<boolean> =>
  isOwnMoment(viewer, sql.ref('cameras.workplace_id'), sql.ref('segments.start_time'));

/**
 * How many fragments wait for review, by bus; buses without any are left out.
 * @param busIds ids of visible buses
 */
export async function countWaiting(
  db: Db,
  viewer: Viewer,
  busIds: Visible<readonly number[]>,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; waiting: number }>`
    select cameras.workplace_id as id, count(*)::int as waiting from segments
    join cameras on cameras.id = segments.camera_id and not cameras.live
    where ${WAITS} and cameras.workplace_id = any(${[...busIds]}::bigint[]) and ${isOwn(viewer)}
    group by cameras.workplace_id`.execute(db);
  return new Map(rows.map(({ id, waiting }) => [id, waiting]));
}

/** The fragments that wait for review, and those that were reviewed. */
export interface ReviewSum {
  readonly waiting: number;
  /** The start of the oldest that waits. */
  readonly oldest: Date | null;
  readonly reviewed: number;
}

/**
 * Sums what waits for review on the user's days, as the queue does, and what was reviewed of them since a moment: also of
 * a bus that belongs to another customer by now.
 * @param sinceMs ms since 1970 UTC
 */
export async function sumReview(db: Db, viewer: Viewer, sinceMs: number): Promise<ReviewSum> {
  const { rows } = await sql<ReviewSum>`
    select waits.waiting, waits.oldest, done.reviewed
    from (
      select count(*)::int as waiting, min(start_time) as oldest from segments
      join cameras on cameras.id = segments.camera_id and not cameras.live
      where ${WAITS} and ${isOwn(viewer)}
    ) as waits, (
      select count(*)::int as reviewed from segments
      join cameras on cameras.id = segments.camera_id
      where reviewed_at >= ${new Date(sinceMs)} and ${isOwn(viewer)}
    ) as done`.execute(db);
  return rows[0] ?? { waiting: 0, oldest: null, reviewed: 0 };
}

/** The four manual counts; null where the automatic one stands. */
export interface TypedCounts {
  readonly entered: number | null;
  readonly exited: number | null;
  readonly entered_kids: number | null;
  readonly exited_kids: number | null;
}

/** Delay of the laps, ms: money is to follow people within a second. */
const LAPS_WAIT_MS = 0;

/** Manual counts, and those that the user saw before. */
export interface TypedOver {
  readonly counts: TypedCounts;
  /** The counts that the user saw. Undefined replaces any counts, without a conflict. */
  readonly seen: TypedCounts | undefined;
}

/**
 * Sets a fragment's manual counts and marks it as reviewed; without any count, takes back the review that the counts made.
 * The automatic counts stay beneath.
 * @param nowMs the present, ms since 1970 UTC
 * @throws AppError conflict for a fragment of a service camera, or if the stored counts are not those that the user saw
 */
export async function saveManualCounts(
  db: Db,
  actor: Actor & { readonly userId: number },
  fragment: Editable<FragmentRow>,
  { counts, seen }: TypedOver,
  nowMs: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockBatches(tx, fragment.busId);
    const { startMs, endMs, review } = await lockCounted(tx, fragment.id);
    const before = await tx
      .selectFrom('manual_counts')
      .select([...SIDES, 'updated_by', 'updated_at'])
      .select(['replaced_reviewed_at', 'replaced_reviewed_by'])
      .where('segment_id', '=', fragment.id)
      .executeTakeFirst();
    // Equal counts are a retry after a lost answer.
    if (before && seen && !areSame(before, seen) && !areSame(before, counts)) {
      if (before.updated_by !== actor.userId) {
        throw new AppError('conflict', 'Another user has changed the counts of this fragment.');
      }
    }
    const now = new Date(nowMs);
    const replaced = replacedReview(review, before);
    if (Object.values(counts).every((count) => count === null)) {
      await tx.deleteFrom('manual_counts').where('segment_id', '=', fragment.id).execute();
      await setReview(tx, fragment.id, replaced);
    } else {
      const layer = {
        ...counts,
        updated_by: actor.userId,
        updated_at: now,
        replaced_reviewed_at: replaced.at,
        replaced_reviewed_by: replaced.userId,
      };
      await tx
        .insertInto('manual_counts')
        .values({ segment_id: fragment.id, ...layer })
        .onConflict((conflict) => conflict.column('segment_id').doUpdateSet(layer))
        .execute();
      await noteCounted(tx, [fragment.id]);
      await setReview(tx, fragment.id, { at: now, userId: actor.userId });
    }
    await insertAudit(tx, actor, {
      action: 'set_manual_counts',
      objectType: 'segment',
      objectId: fragment.id,
      before: before ? Object.fromEntries(SIDES.map((side) => [side, before[side]])) : null,
      after: counts,
    });
    // The difference is booked at the fragment's start, which may be in a lap of the day before.
    const localDay = createDayFinder(await listZoneSpans(tx, fragment.busId));
    const days = [startMs - LAP_MARGIN_MS, startMs].map((ms) => localDay(ms).day);
    await requestLaps(tx, fragment.busId, days, {
      nowMs: now.getTime(),
      waitMs: LAPS_WAIT_MS,
    });
    await rebuildHours(tx, fragment.busId, [localDay(startMs).day]);
    await bumpDaysBetween(tx, fragment.busId, [[startMs, endMs]]);
  });
}

/**
 * Marks a fragment as reviewed without changing its counts.
 * @param nowMs the present, ms since 1970 UTC
 * @throws AppError conflict for a fragment of a service camera
 */
export async function saveReviewed(
  db: Db,
  actor: Actor & { readonly userId: number },
  fragment: Editable<FragmentRow>,
  nowMs: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { startMs, endMs } = await lockCounted(tx, fragment.id);
    await setReview(tx, fragment.id, { at: new Date(nowMs), userId: actor.userId });
    await insertAudit(tx, actor, {
      action: 'mark_reviewed',
      objectType: 'segment',
      objectId: fragment.id,
    });
    await bumpDaysBetween(tx, fragment.busId, [[startMs, endMs]]);
  });
}

const SIDES = ['entered', 'exited', 'entered_kids', 'exited_kids'] as const;

function areSame(one: TypedCounts, other: TypedCounts): boolean {
  return SIDES.every((side) => one[side] === other[side]);
}

/** When and by which user a fragment was reviewed; null if it was not. */
interface Review {
  readonly at: Date | null;
  readonly userId: number | null;
}

interface StoredBy {
  readonly updated_at: Date;
  readonly updated_by: number;
  readonly replaced_reviewed_at: Date | null;
  readonly replaced_reviewed_by: number | null;
}

/** The review that stands without the manual counts. A review of the counts has their moment and their user. */
function replacedReview(review: Review, counts: StoredBy | undefined): Review {
  if (!counts || review.userId !== counts.updated_by) return review;
  if (review.at?.getTime() !== counts.updated_at.getTime()) return review;
  return { at: counts.replaced_reviewed_at, userId: counts.replaced_reviewed_by };
}

interface Locked {
  readonly startMs: number;
  readonly endMs: number;
  readonly review: Review;
}

async function lockCounted(tx: Tx, id: number): Promise<Locked> {
  const row = await tx
    .selectFrom('segments')
    .innerJoin('cameras', 'cameras.id', 'segments.camera_id')
    .select(['start_time', 'end_time', 'reviewed_at', 'reviewed_by', 'cameras.live'])
    .where('segments.id', '=', id)
    .forUpdate('segments')
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  if (row.live) throw new AppError('conflict', 'Fragments of service cameras are not counted.');
  return {
    startMs: row.start_time.getTime(),
    endMs: row.end_time.getTime(),
    review: { at: row.reviewed_at, userId: row.reviewed_by },
  };
}

async function setReview(tx: Tx, id: number, { at, userId }: Review): Promise<void> {
  await tx
    .updateTable('segments')
    .set({ reviewed_at: at, reviewed_by: userId })
    .where('id', '=', id)
    .execute();
}
