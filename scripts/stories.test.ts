import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { serverFeatures, webFeatures } from './rooms.ts';
import { findStories, readImporters, storiesOfRooms } from './stories.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Quick files of e2e that are no story: they test what stories use. */
const NO_STORIES = ['story-faults', 'upload-ledger'];
const quickStories = readdirSync(path.join(root, 'e2e'))
  .flatMap((name) => /^([^.]+)\.test\.ts$/.exec(name)?.[1] ?? [])
  .filter((name) => !NO_STORIES.includes(name));

test('every feature has its stories', () => {
  const features = [...serverFeatures, ...webFeatures].map((room) => room.path);
  expect(features.filter((feature) => !(feature in storiesOfRooms))).toEqual([]);
});

test('every quick story belongs to a room, and every room to stories that are there', () => {
  const named = new Set(Object.values(storiesOfRooms).flat());
  expect([...named].sort()).toEqual(quickStories.sort());
});

const importers = readImporters(root);
test.each([
  ['of one feature', ['server/src/stats/api.ts'], ['stats']],
  ['of a call', ['contract/src/live.ts'], expect.arrayContaining(['service'])],
  ['of what many features use', ['web/src/map/map-view.tsx'], expect.arrayContaining(['gps'])],
  ['of a list of features', ['server/src/features.ts'], ['roles', 'stories']],
  ['of the style of all screens', ['web/src/ui/tokens.css'], expect.arrayContaining(['roles'])],
  ['of the packages', ['package-lock.json'], ['roles', 'stories']],
  ['of a migration', ['server/migrations/0001_start.sql'], ['bus-list', 'stories']],
  ['that removes a file', ['server/src/stats/removed.ts'], ['stats']],
  ['of a test beside them', ['web/src/calls/api.test.tsx'], []],
  ['of a document', ['docs/testing.md'], []],
])('a change %s reaches its stories', (_what, changed, expected) => {
  expect(findStories(root, changed, importers)).toEqual(expected);
});
