// The chosen files of a list, by time. A list may have thousands of short files, and thousands of long ones of the same time:
// a long one is not compared with each short one.
import { LEAST_PART_MS, type Period, type RegistrarFile } from './file-list.ts';

/** Files in order of time. None lies within another, so they are in order of their ends, too. */
export interface Timeline {
  readonly files: readonly RegistrarFile[];
  /** Adds a file that lies within no other one, and in which no other one lies. */
  insert(file: RegistrarFile): void;
  /**
   * The times of files that share time with one, in order of their starts. Files within it are one time if no gap between
   * them is worth a fragment.
   */
  neighboursOf(file: Period): readonly Period[];
}

/** Makes an empty one. */
export function createTimeline(): Timeline {
  const files: RegistrarFile[] = [];
  /** A later file up to which no gap is worth a fragment. It stays right, because gaps only become smaller. */
  const reached = new Map<RegistrarFile, RegistrarFile>();

  // The index of the first file for which a condition holds, which holds for all later ones, too; or the number of files.
  function firstOf(holds: (file: RegistrarFile) => boolean): number {
    let [from, until] = [0, files.length];
    while (from < until) {
      const middle = Math.floor((from + until) / 2);
      const file = files[middle];
      if (file !== undefined && holds(file)) until = middle;
      else from = middle + 1;
    }
    return from;
  }

  // The index of the last file below another index up to which no gap is worth a fragment. Each file is passed by itself once:
  // the next time its run is known.
  function lastOfRun(first: RegistrarFile, from: number, until: number): number {
    const passed: RegistrarFile[] = [];
    let [at, index] = [first, from];
    while (index < until - 1) {
      const known = reached.get(at);
      const next = known ?? files[index + 1];
      if (next === undefined) break;
      if (known === undefined && next.startMs - at.endMs >= LEAST_PART_MS) break;
      passed.push(at);
      index = known === undefined ? index + 1 : firstOf(({ startMs }) => startMs >= known.startMs);
      at = next;
    }
    for (const file of passed) reached.set(file, at);
    return Math.min(index, until - 1);
  }

  // The times of the files between two indexes.
  function runsOf(from: number, until: number): Period[] {
    const runs: Period[] = [];
    let index = from;
    while (index < until) {
      const first = files[index];
      if (first === undefined) break;
      const last = lastOfRun(first, index, until);
      runs.push({ startMs: first.startMs, endMs: files[last]?.endMs ?? first.endMs });
      index = last + 1;
    }
    return runs;
  }

  return {
    files,
    insert: (file) => {
      const index = firstOf(({ startMs }) => startMs > file.startMs);
      files.splice(index, 0, file);
    },
    neighboursOf: ({ startMs, endMs }) => {
      const from = firstOf((file) => file.endMs > startMs);
      const until = firstOf((file) => file.startMs >= endMs);
      const inner = firstOf((file) => file.startMs >= startMs);
      const outer = Math.max(
        inner,
        firstOf((file) => file.endMs > endMs),
      );
      return [...files.slice(from, inner), ...runsOf(inner, outer), ...files.slice(outer, until)];
    },
  };
}
