import { dayOf, dayRange, FALLBACK_ZONE } from '@ridewatch/contract/day';
import type { BodyOf } from '@ridewatch/contract/endpoint';
import * as contract from '@ridewatch/contract/review';
import { viewerOfClient } from '../access/client.ts';
import { findFragment } from '../access/fragment.ts';
import { asEditable } from '../access/visible.ts';
import { findFragmentAnswer } from '../bus-day/fragment-answers.ts';
import { AppError } from '../core/errors.ts';
import { serve } from '../core/http/http.ts';
import { loadKeys } from '../core/signing-keys.ts';
import type { Feature } from '../deps.ts';
import { countReviewed, listReviewers, listWaiting } from './queue.ts';
import { saveManualCounts, saveReviewed } from './saved-counts.ts';

const PAGE = 50;

/** Manual counts, and the review queue. */
export const addReview: Feature = async (app, deps, auth) => {
  const { db } = deps.database;
  const keys = await loadKeys(db, 'video', deps.clock.nowMs());
  const now = (): number => deps.clock.nowMs();

  serve(app, auth, contract.setManualCounts, 'user', async ({ viewer, actor, params, body }) => {
    const fragment = asEditable(viewer, await findFragment(db, viewer, params.segmentId));
    const seen = body.seen && countsOf(body.seen);
    const by = { ...actor, userId: viewer.userId };
    await saveManualCounts(db, by, fragment, { counts: countsOf(body), seen }, now());
    return findFragmentAnswer(db, viewer, fragment.id, keys, now());
  });

  serve(app, auth, contract.markReviewed, 'user', async ({ viewer, actor, params }) => {
    const fragment = asEditable(viewer, await findFragment(db, viewer, params.segmentId));
    await saveReviewed(db, { ...actor, userId: viewer.userId }, fragment, now());
    return findFragmentAnswer(db, viewer, fragment.id, keys, now());
  });

  serve(app, auth, contract.listReviewQueue, 'user', async ({ viewer, query }) => {
    if (!viewer.canEdit) throw new AppError('no_right', 'Reviewing needs the edit right.');
    const { after, from } = query;
    for (const id of [after, from]) if (id !== undefined) await findFragment(db, viewer, id);
    const question = { after, from, size: Number(query.perPage ?? PAGE) };
    const { startMs } = dayRange(dayOf(now(), FALLBACK_ZONE), FALLBACK_ZONE);
    const narrowed = await viewerOfClient(db, viewer, query.clientId, now());
    const { items, total, newer } = await listWaiting(db, narrowed, question);
    const reviewed_today = await countReviewed(db, viewer.userId, startMs);
    const reviewers = await listReviewers(db, viewer, startMs);
    return { items, number: 0, total, newer, reviewed_today, reviewers };
  });
};

type Body = NonNullable<BodyOf<typeof contract.setManualCounts>>;

function countsOf({
  entered_manual,
  exited_manual,
}: Pick<Body, 'entered_manual' | 'exited_manual'>) {
  return {
    entered: entered_manual.adult ?? null,
    exited: exited_manual.adult ?? null,
    entered_kids: entered_manual.kids ?? null,
    exited_kids: exited_manual.kids ?? null,
  };
}
