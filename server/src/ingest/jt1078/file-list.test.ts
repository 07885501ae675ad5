// The list of a registrar's files, and the choice of those that become fragments.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itemOf, listBodyOf, RECORDED_MS, type TestFile } from '../../test/fake-registrar.ts';
import { chooseFiles, MOST_FRAGMENTS } from './chosen-files.ts';
import { readFileList } from './file-list.ts';

const MINUTE_MS = 60_000;
const at = (minute: number): number => RECORDED_MS + minute * MINUTE_MS;
const ALL = { startMs: at(0), endMs: at(60) };
/** The chosen files as from, to, stream, storage and size. */
const choose = (files: readonly TestFile[], range = ALL, endedMs = at(600)) =>
  chooseFiles(readFileList(listBodyOf(7, files), 1, 8), range, { endedMs }).files.map((file) => [
    ...[(file.startMs - RECORDED_MS) / MINUTE_MS, (file.endMs - RECORDED_MS) / MINUTE_MS],
    ...[file.stream, file.storage, file.sizeBytes],
  ]);

describe('a list of files', () => {
  it('is read by the clock of the terminal, without other channels and half items', () => {
    const items = [
      itemOf({ from: 0, to: 10, size: 5, stream: 2 }, 0),
      itemOf({ from: 1, to: 2, channel: 2 }, 0),
    ];
    const body = Buffer.concat([Buffer.from('000700000009', 'hex'), ...items, Buffer.alloc(27)]);
    expect(readFileList(body, 1, 0)).toEqual([
      { startMs: at(0), endMs: at(10), media: 0, stream: 2, storage: 1, sizeBytes: 5 },
    ]);
  });

  it.each([-12, 0, 8, 14])('has files over midnight of a clock %i hours ahead', (hours) => {
    const midnight = (18 - hours) * 60;
    const file = { from: midnight - 5, to: midnight + 5 };
    expect(readFileList(listBodyOf(7, [file], hours), 1, hours)).toMatchObject([
      { startMs: at(file.from), endMs: at(file.to) },
    ]);
  });

  it('becomes the files of the range, in order of time', () => {
    const files = [
      { from: 50, to: 70 },
      { from: 20, to: 30, size: 9 },
      { from: 61, to: 70 },
    ];
    expect(choose(files)).toEqual([
      [20, 30, 1, 1, 9],
      [50, 70, 1, 1, 0],
    ]);
  });

  it('has the main stream before the sub stream, and the main storage before its copy', () => {
    expect(
      choose([
        { from: 0, to: 10, stream: 2 },
        { from: 0, to: 10, storage: 2 },
        { from: 0, to: 10 },
        // The main stream of this time is not there.
        { from: 10, to: 20, stream: 2 },
        { from: 10, to: 20, stream: 2, storage: 2 },
      ]),
    ).toEqual([
      [0, 10, 1, 1, 0],
      [10, 20, 2, 1, 0],
    ]);
  });

  it('has the parts of a file that no other one has, from ten seconds on', () => {
    const files = [
      { from: 20, to: 30, size: 1 },
      { from: 0, to: 50, stream: 2, size: 9 },
      { from: 49, to: 50.1, stream: 2, storage: 2 },
      { from: 55, to: 55.1, stream: 2, storage: 2 },
    ];
    expect(choose(files)).toEqual([
      [0, 20, 2, 1, 0],
      [20, 30, 1, 1, 1],
      [30, 50, 2, 1, 0],
      [55, 55.1, 2, 2, 0],
    ]);
    expect(choose(files, { startMs: at(25), endMs: at(40) })).toEqual([
      [20, 30, 1, 1, 1],
      [30, 50, 2, 1, 0],
    ]);
  });

  it('has files whole that overlap by seconds where one ends and the next begins', () => {
    const files = [
      { from: 0, to: 10.1, size: 1 },
      { from: 10, to: 20, size: 2 },
    ];
    expect(choose(files)).toEqual([
      [0, 10.1, 1, 1, 1],
      [10, 20, 1, 1, 2],
    ]);
  });

  it('is without sound alone, files that end before they start, and what is still written', () => {
    const files = [
      { from: 0, to: 1, media: 1 },
      { from: 3, to: 3 },
      { from: 5, to: 4 },
      { from: 50, to: 59 },
    ];
    expect(choose(files, ALL, at(58))).toEqual([]);
  });

  it('cuts a file of more than four hours into hours, and takes those of the range', () => {
    const range = { startMs: at(130), endMs: at(190) };
    const hours = [
      [120, 180, 1, 1, 0],
      [180, 240, 1, 1, 0],
    ];
    expect(choose([{ from: 0, to: 600, size: 9 }], range)).toEqual(hours);
    expect(choose([{ from: 0, to: 240, size: 9 }], range)).toEqual([[0, 240, 1, 1, 9]]);
  });

  it('has a limit', () => {
    const files = [...Array(MOST_FRAGMENTS + 50).keys()].map((n) => ({
      from: n / 60,
      to: (n + 1) / 60,
    }));
    expect(choose(files)).toHaveLength(MOST_FRAGMENTS);
  });

  it('is the earlier part of a long list, whatever its streams, and says where the rest begins', () => {
    const early = [...Array(150).keys()].map((n) => ({ from: n, to: n + 1, stream: 2 }));
    const later = [...Array(200).keys()].map((n) => ({ from: 200 + n, to: 201 + n }));
    const read = readFileList(listBodyOf(7, [...early, ...later]), 1, 8);
    const day = { startMs: at(0), endMs: at(600) };
    const first = chooseFiles(read, day, { endedMs: day.endMs });
    const rest = { ...day, startMs: first.leftFromMs ?? 0 };
    const second = chooseFiles(read, rest, { endedMs: day.endMs });
    const starts = [...first.files, ...second.files].map(({ startMs }) => startMs);
    expect(first.files).toHaveLength(MOST_FRAGMENTS);
    expect(starts).toEqual([...early, ...later].map(({ from }) => at(from)));
    expect(second.leftFromMs).toBeUndefined();
  });
});

it('a mutated list invents no file, and costs no other one', () => {
  const files = [...Array(6).keys()].map((n) => ({
    from: n * 10,
    to: n * 10 + 10,
    size: 1000 + n,
  }));
  const whole = listBodyOf(7, files);
  const sound = readFileList(whole, 1, 8).map((file) => JSON.stringify(file));
  const mutation = fc.record({
    at: fc.nat(whole.length - 1),
    to: fc.nat(255),
    cut: fc.nat(whole.length),
  });
  fc.assert(
    fc.property(mutation, ({ at: place, to, cut }) => {
      const body = Buffer.from(whole);
      body[place] = to;
      const read = readFileList(body.subarray(0, cut), 1, 8);
      // One byte is in one item.
      const item = Math.floor((place - 6) / 28);
      const others = read.filter((file) => !sound.includes(JSON.stringify(file)));
      expect(others.length).toBeLessThanOrEqual(item >= 0 && body[place] !== whole[place] ? 1 : 0);
      expect(read.length).toBeLessThanOrEqual(Math.floor(Math.max(0, cut - 6) / 28));
      for (const file of chooseFiles(read, ALL, { endedMs: at(600) }).files) {
        expect(file.endMs).toBeGreaterThan(file.startMs);
        expect(file.endMs - file.startMs).toBeLessThanOrEqual(4 * 60 * MINUTE_MS);
      }
    }),
  );
});
