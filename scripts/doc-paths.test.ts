import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findLostPaths } from './doc-paths.ts';

let root: string;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'ridewatch-documents-'));
  await mkdir(path.join(root, 'docs/decisions'), { recursive: true });
});

afterAll(() => rm(root, { recursive: true, force: true }));

/** Lists what is reported about a document in docs/decisions. */
async function problemsOf(text: string): Promise<string[]> {
  await writeFile(path.join(root, 'README.md'), '# A product\n\n## Set-up, and start\n');
  await writeFile(path.join(root, 'docs/decisions/001-one.md'), text);
  return findLostPaths(root);
}

test('links to files, folders, headings and other sites are true', async () => {
  const text = `# One
[up](../../README.md) [start](../../README.md#set-up-and-start) [here](#one) [all](..) [site](https://a.example/b#c)`;
  expect(await problemsOf(text)).toEqual([]);
});

test('a link to a lost file or heading is reported', async () => {
  const text = '[lost](../two.md) [no heading](../../README.md#stop) [nor here](#two)';
  expect(await problemsOf(text)).toEqual([
    'docs/decisions/001-one.md has the link (../two.md), which leads nowhere.',
    'docs/decisions/001-one.md has the link (../../README.md#stop), which leads nowhere.',
    'docs/decisions/001-one.md has the link (#two), which leads nowhere.',
  ]);
});

test('a named path that does not exist is reported', async () => {
  expect(await problemsOf('`docs/decisions` and `docs/lost.md`')).toEqual([
    'docs/decisions/001-one.md names docs/lost.md, which is not there.',
  ]);
});
