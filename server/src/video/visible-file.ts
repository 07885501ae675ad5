import { type FragmentFile, findFragmentFile } from '../access/fragment.ts';
import type { Visible } from '../access/visible.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Deps } from '../deps.ts';

/** A player asks for ten ranges a second of one file: what was found is kept this long, ms. */
const KEEP_MS = 2000;
const MOST_KEPT = 10_000;

export type FindVisibleFile = (
  viewer: Viewer,
  fragmentId: number,
  variant: 'source' | 'playable' | 'preview',
) => Promise<Visible<FragmentFile>>;

/**
 * Finds stored files of fragments that a user may see.
 * The found function throws AppError not_found when there is none, or it is not for this user.
 */
export function createFileFinder({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): FindVisibleFile {
  const kept = new Map<string, { file: Visible<FragmentFile>; readAtMs: number }>();
  return async (viewer, fragmentId, variant) => {
    const key = `${viewer.userId}:${fragmentId}:${variant}`;
    const nowMs = clock.nowMs();
    const found = kept.get(key);
    if (found !== undefined && nowMs - found.readAtMs < KEEP_MS) return found.file;
    kept.delete(key);
    const file = await findFragmentFile(database.db, viewer, fragmentId, variant);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(key, { file, readAtMs: nowMs });
    return file;
  };
}
