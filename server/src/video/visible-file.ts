import { type FragmentFile, findFragmentFile } from '../access/fragment.ts';
import type { Visible } from '../access/visible.ts';
import { Cache, cached } from '../core/cache.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Deps } from '../deps.ts';

/** How long a found file is cached, ms: a player makes ten range requests a second for one file. */
const KEEP_MS = 2000;
const MOST_KEPT = 10_000;

export type FindVisibleFile = (
  viewer: Viewer,
  fragmentId: number,
  variant: 'source' | 'playable' | 'preview',
) => Promise<Visible<FragmentFile>>;

/**
 * Finds stored files of fragments that a user may see. The returned function throws AppError not_found for any other.
 */
export function createFileFinder({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): FindVisibleFile {
  const files = new Cache<string, Promise<Visible<FragmentFile>>>({
    most: MOST_KEPT,
    age: { keepMs: KEEP_MS, clock },
  });
  return (viewer, fragmentId, variant) =>
    cached(files, `${viewer.userId}:${fragmentId}:${variant}`, () =>
      findFragmentFile(database.db, viewer, fragmentId, variant),
    );
}
