// Records of units, in whatever protocol they come, are written by one room: what counts once there counts once.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const TABLES = 'passenger_events|position_blocks|camera_states|aside_records|unit_streams';
const ADDS = new RegExp(
  `insert\\s+into\\s+(${TABLES})\\b|insertInto\\('(${TABLES})'\\)|copy\\s+(${TABLES})\\b`,
  'i',
);
const CHANGES = new RegExp(`update\\s+(${TABLES})\\b|updateTable\\('(${TABLES})'\\)`, 'i');
/** The blocks of positions have a format of their own, which their room packs. */
const WRITERS = /^server\/src\/(ingest\/store|positions)\//;

/** Give what is stored to another bus: with a unit that moves, and after its test. */
const GIVERS = ['move-records', 'release-test'].map(
  (name) => `server/src/administration/${name}.ts`,
);

function filesWith(pattern: RegExp): string[] {
  const files = globSync('{server,unit,contract}/src/**/*.ts', { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !/\.test\.ts$/.test(file) && !file.startsWith('server/src/test/'));
  return files.filter((file) => pattern.test(readFileSync(path.join(root, file), 'utf8')));
}

it('no protocol, and no other room, adds positions, people or what is kept aside', () => {
  const adding = filesWith(ADDS);
  expect(adding.length).toBeGreaterThan(0);
  expect(adding.filter((file) => !WRITERS.test(file))).toEqual([]);
});

it('nothing else changes them but a move of a unit and the release of one from its test', () => {
  const changing = filesWith(CHANGES).filter((file) => !WRITERS.test(file));
  expect(changing.sort()).toEqual(GIVERS);
});
