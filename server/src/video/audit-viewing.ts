// Audits who opened or downloaded which video. A player makes hundreds of range requests; they are one opening as long
// as they go on.
import type { FastifyRequest } from 'fastify';
import { insertAudit } from '../core/audit.ts';
import { Cache } from '../core/cache.ts';
import { actorOf } from '../core/http/http.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Deps } from '../deps.ts';

/** Silence after which the same video counts as opened again, ms. */
const SAME_OPENING_MS = 10 * 60_000;
const MOST_KEPT = 20_000;

export type NoteViewing = (
  request: FastifyRequest,
  viewer: Viewer,
  action: 'open_video' | 'download_video',
  what: { fragmentId: number; variant: string },
) => Promise<void>;

/** Writes the audit row of an opening before the first byte is sent; once a process and session. */
export function createViewingAudit({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): NoteViewing {
  const open = new Cache<string, true>({
    most: MOST_KEPT,
    age: { keepMs: SAME_OPENING_MS, clock },
  });
  return async (request, viewer, action, { fragmentId, variant }) => {
    if (request.method === 'HEAD') return;
    const key = `${viewer.sessionId}:${action}:${fragmentId}:${variant}`;
    const isOpen = open.get(key) !== undefined;
    // The opening goes on: its age starts again.
    open.set(key, true);
    if (isOpen) return;
    await insertAudit(database.db, actorOf(request, { viewer }, clock.nowMs()), {
      action,
      objectType: 'segment',
      objectId: fragmentId,
      after: { variant },
    }).catch((error: unknown) => {
      // Not written: the next request tries again.
      open.delete(key);
      throw error;
    });
  };
}
