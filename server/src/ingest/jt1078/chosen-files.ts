// The choice of those files of a list that are worth an upload.
import { FILE, MEDIA } from './codes.ts';
import {
  type FileKind,
  isWorth,
  LONGEST_MS,
  overlapMs,
  type Period,
  partOf,
  partsOutside,
  type RegistrarFile,
} from './file-list.ts';
import { createTimeline } from './timeline.ts';

/** Fragments that a list becomes; further files are left out. */
export const MOST_FRAGMENTS = 300;
/**
 * Files, and parts of long ones, that are compared with each other; a list that has more is taken for fewer hours. An hour
 * has always fewer: two parts of each of the 4,676 files of a list. A day of an honest list has, too, because in it the
 * files of one stream do not overlap.
 */
export const MOST_PARTS = 10_000;
/** A longer file is cut into parts of this length from its start, ms: so each list cuts it alike. */
const PART_MS = 3_600_000;

/** The files of a list that become fragments. */
interface Choice {
  /** At most MOST_FRAGMENTS, the earliest ones, in order of time. */
  readonly files: readonly RegistrarFile[];
  /** The start of what is beyond a limit, ms since 1970 UTC; undefined: there is none. */
  readonly leftFromMs: number | undefined;
}

/** Files that the registrar still writes. */
interface Writing {
  /** They end later, ms since 1970 UTC. */
  readonly endedMs: number;
  /**
   * A later list has the time from here on once more, ms since 1970 UTC; undefined: none has. So a copy waits for a file of
   * the main storage, and the sub stream for one of the main stream, from the start of the file that is still written.
   */
  readonly waitFromMs?: number;
}

/**
 * Chooses the files of a range: each moment once, the main stream before the sub stream, the main storage before its
 * copy. Of a file that overlaps chosen ones, the other parts are chosen. Sound without pictures is left out, and so is
 * what has not ended.
 */
export function chooseFiles(
  files: readonly RegistrarFile[],
  range: Period,
  { endedMs, waitFromMs = Number.POSITIVE_INFINITY }: Writing,
): Choice {
  const pictures = files.filter(({ media }) => media !== MEDIA.audio);
  const ended = pictures.filter(({ endMs }) => endMs <= endedMs);
  const waitMs = waitsByRank(
    pictures.filter(({ endMs }) => endMs > endedMs),
    waitFromMs,
  );
  const compared = comparedPeriod(ended, range);
  const wanted = ended
    .flatMap((file) => partsOf(file, compared))
    .sort((a, b) => rankOf(a) - rankOf(b) || a.startMs - b.startMs || b.endMs - a.endMs);
  // The limits are ones of time: a list that begins behind them goes on.
  const chosen = createTimeline();
  for (const file of wanted) {
    const startMs = waitMs[rankOf(file)] ?? waitFromMs;
    for (const before of partsOutside(file, [{ startMs, endMs: Number.POSITIVE_INFINITY }])) {
      for (const part of partsOutside(before, chosen.neighboursOf(before))) {
        if (isWorth(part, file) && overlapMs(part, compared) > 0) chosen.insert(part);
      }
    }
  }
  const beyondMs = compared.endMs < range.endMs ? compared.endMs : undefined;
  return {
    files: chosen.files.slice(0, MOST_FRAGMENTS),
    leftFromMs: chosen.files[MOST_FRAGMENTS]?.startMs ?? beyondMs,
  };
}

// From when on files wait for better ones, by their rank, ms since 1970 UTC.
function waitsByRank(writing: readonly RegistrarFile[], waitFromMs: number): readonly number[] {
  return RANKS.map((rank) => {
    const better = writing.filter((file) => rankOf(file) < rank);
    const starts = better.map(({ startMs }) => startMs);
    return Math.max(waitFromMs, Math.min(Number.POSITIVE_INFINITY, ...starts));
  });
}

// The range, or its first hours if more parts of files are in it than are compared. Each round halves it.
function comparedPeriod(files: readonly RegistrarFile[], range: Period): Period {
  let period = range;
  for (;;) {
    const hours = Math.ceil((period.endMs - period.startMs) / PART_MS);
    const parts = files.reduce((sum, file) => sum + countParts(file, period), 0);
    if (parts <= MOST_PARTS || hours <= 1) return period;
    period = { ...period, endMs: period.startMs + Math.ceil(hours / 2) * PART_MS };
  }
}

// How many parts `partsOf` makes.
function countParts(file: RegistrarFile, range: Period): number {
  if (overlapMs(file, range) === 0) return 0;
  if (file.endMs - file.startMs <= LONGEST_MS) return 1;
  const untilMs = Math.min(range.endMs, file.endMs);
  return Math.ceil((untilMs - file.startMs) / PART_MS) - partsBefore(file, range);
}

const partsBefore = (file: Period, range: Period): number =>
  Math.max(0, Math.floor((range.startMs - file.startMs) / PART_MS));

// The file, or the parts of a long one, that lie in the range at least partly.
function partsOf(file: RegistrarFile, range: Period): RegistrarFile[] {
  const count = countParts(file, range);
  if (count === 0) return [];
  if (file.endMs - file.startMs <= LONGEST_MS) return [file];
  const before = partsBefore(file, range);
  return Array.from({ length: Math.min(count, MOST_FRAGMENTS) }, (_, n) => {
    const startMs = file.startMs + (before + n) * PART_MS;
    return partOf(file, { startMs, endMs: Math.min(startMs + PART_MS, file.endMs) });
  });
}

const RANKS = [0, 1, 2, 3] as const;
const rankOf = ({ stream, storage }: FileKind): number =>
  (stream === FILE.second ? 2 : 0) + (storage === FILE.second ? 1 : 0);
