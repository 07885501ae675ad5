// The choice of files from lists that are long, wrong, or made while the registrar writes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseFiles, MOST_PARTS } from './chosen-files.ts';
import { isWorth, overlapMs, type Period, partsOutside, type RegistrarFile } from './file-list.ts';

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const FROM_MS = Date.UTC(2026, 10, 20, 6);
/** Items that fit into the parts of one list. */
const LONGEST_LIST = 4676;
const DAY = { startMs: FROM_MS, endMs: FROM_MS + 24 * HOUR_MS };
const ENDED = { endedMs: Number.POSITIVE_INFINITY };

/** A file. @param fromS seconds after FROM_MS */
const fileOf = (fromS: number, toS: number, stream = 1, storage = 1): RegistrarFile => ({
  ...{ startMs: FROM_MS + fromS * SECOND_MS, endMs: FROM_MS + toS * SECOND_MS },
  ...{ sizeBytes: 9, media: 0, stream, storage },
});
/** Files by minutes after FROM_MS. */
const shown = (files: readonly RegistrarFile[]) =>
  files.map(({ startMs, endMs, stream }) => [
    ...[(startMs - FROM_MS) / 60_000, (endMs - FROM_MS) / 60_000, stream],
  ]);
const many = (count: number, file: (n: number) => RegistrarFile): RegistrarFile[] =>
  [...Array(count).keys()].map(file);

/** The choice as its rule says it: each file is compared with all that are chosen. */
function choosePlainly(files: readonly RegistrarFile[], range: Period): RegistrarFile[] {
  const chosen: RegistrarFile[] = [];
  const rankOf = ({ stream, storage }: RegistrarFile): number => 2 * stream + storage;
  const wanted = files
    .filter((file) => overlapMs(file, range) > 0)
    .sort((a, b) => rankOf(a) - rankOf(b) || a.startMs - b.startMs || b.endMs - a.endMs);
  for (const file of wanted) {
    const others = chosen.toSorted((one, other) => one.startMs - other.startMs);
    const parts = partsOutside(file, others).filter((part) => isWorth(part, file));
    chosen.push(...parts.filter((part) => overlapMs(part, range) > 0));
  }
  return chosen.sort((one, other) => one.startMs - other.startMs);
}

describe('the choice of files', () => {
  it('is that of its rule', () => {
    const someFile = fc
      .tuple(
        fc.nat(200),
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom(1, 2),
        fc.constantFrom(1, 2),
      )
      .map(([fromS, lastsS, stream, storage]) => fileOf(fromS, fromS + lastsS, stream, storage));
    const range = { startMs: FROM_MS + 30 * SECOND_MS, endMs: FROM_MS + 200 * SECOND_MS };
    fc.assert(
      fc.property(fc.array(someFile, { maxLength: 40 }), (files) => {
        expect(chooseFiles(files, range, ENDED).files).toEqual(choosePlainly(files, range));
      }),
    );
  });

  it('compares a file with its neighbours alone', () => {
    let reads = 0;
    const files = many(1000, (n) => {
      const { startMs, ...file } = fileOf(n * 18, n * 18 + 18);
      return Object.defineProperty({ startMs, ...file }, 'startMs', {
        get: () => {
          reads += 1;
          return startMs;
        },
      });
    });
    expect(chooseFiles(files, DAY, ENDED).leftFromMs).toBe(FROM_MS + 300 * 18 * SECOND_MS);
    // Sorting reads some tens.
    expect(reads).toBeLessThan(200 * files.length);
  });

  it('takes a few hours of a list of a day-long files, and the next list goes on there', () => {
    // Each has hours of its own.
    const files = many(1000, (n) => fileOf(-n / 1000, 86_400 - n / 1000));
    const first = chooseFiles(files, DAY, ENDED);
    const leftFromMs = first.leftFromMs ?? DAY.endMs;
    expect(leftFromMs).toBeGreaterThanOrEqual(FROM_MS + HOUR_MS);
    expect((files.length * (leftFromMs - FROM_MS)) / HOUR_MS).toBeLessThan(MOST_PARTS);
    // An hour of the longest list.
    expect(2 * LONGEST_LIST).toBeLessThan(MOST_PARTS);
    const second = chooseFiles(files, { ...DAY, startMs: leftFromMs }, ENDED);
    const chosen = [...first.files, ...second.files];
    const starts = [...new Set(chosen.map(({ startMs }) => startMs))];
    expect(starts.length).toBeGreaterThan(first.files.length);
    expect(starts).toEqual(starts.map((_, n) => (starts[0] ?? 0) + n * HOUR_MS));
  });

  it('takes a list of both streams of a day at once', () => {
    const files = [1, 2].flatMap((stream) =>
      many(LONGEST_LIST / 2, (n) => fileOf(n * 36, n * 36 + 36, stream)),
    );
    expect(chooseFiles(files.slice(-290), DAY, ENDED).leftFromMs).toBeUndefined();
    expect(chooseFiles(files, DAY, ENDED).leftFromMs).toBe(FROM_MS + 300 * 36 * SECOND_MS);
  });
});

describe('while a file of the main stream is written', () => {
  const minute = (n: number, toMinute: number, stream: number) =>
    fileOf(n * 60, toMinute * 60, stream);
  const endMs = FROM_MS + 20 * 60_000;
  const period = { startMs: FROM_MS - 24 * HOUR_MS, endMs };
  const endedMs = endMs - 60_000;
  const looked = { endedMs, waitFromMs: endMs - 4 * HOUR_MS };
  const list = [minute(-60, 0, 1), minute(-2, 3, 2), minute(3, 8, 2), minute(8, 13, 2)];

  it('a look leaves the sub stream of its time for the next one', () => {
    const early = minute(-70, -60, 2);
    const files = [early, ...list, minute(1, 20, 1)];
    expect(shown(chooseFiles(files, period, looked).files)).toEqual([
      [-70, -60, 2],
      [-60, 0, 1],
      [0, 1, 2],
    ]);
    // The copy of the main storage, or the sub stream itself.
    const copy = [minute(1, 20, 2), ...list.slice(1)];
    expect(chooseFiles(copy, period, looked).files).toHaveLength(3);
  });

  it('a look leaves four hours of it at most, because the next one begins there', () => {
    const subs = many(60, (n) => minute(n * 5 - 280, n * 5 - 275, 2));
    const { files } = chooseFiles([minute(-400, 20, 1), ...subs], period, looked);
    expect(shown(files).at(0)).toEqual([-280, -275, 2]);
    expect(shown(files).at(-1)).toEqual([-225, -220, 2]);
  });

  it('a range has the sub stream, because nobody lists it again', () => {
    const { files } = chooseFiles([...list, minute(0, 20, 1)], period, { endedMs });
    expect(files.map(({ stream }) => stream)).toEqual([1, 2, 2, 2]);
  });
});
