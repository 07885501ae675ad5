// The users' guide is whole: each screen has a page in both languages, with pictures and links that lead somewhere.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Block, readMarkdown } from '@ridewatch/web/src/features/help/markdown.ts';
import { guidePageOf } from '@ridewatch/web/src/keys/keys-of.ts';
import { pagePaths, tabPaths } from '@ridewatch/web/src/shell/paths.ts';
import { describe, expect, it } from 'vitest';

const guide = path.resolve(import.meta.dirname, '../docs/guide');
/** All pictures together, bytes. */
const MOST_BYTES = 3_000_000;
const screens = [
  'login',
  'new-password',
  'setup',
  'second-factor',
  ...[...pagePaths, ...tabPaths].map(({ path: at }) => guidePageOf(at)),
];
const languages = ['ru', 'en'] as const;

const pagesIn = (language: string) =>
  readdirSync(path.join(guide, language)).filter((file) => file.endsWith('.md'));
const picturesIn = (language: string) => readdirSync(path.join(guide, language, 'pictures'));
const read = (language: string, file: string) =>
  readMarkdown(readFileSync(path.join(guide, language, file), 'utf8'));
const sourcesOf = (blocks: readonly Block[]) =>
  blocks.flatMap((block) => (block.kind === 'picture' ? [block.source] : []));
const linesOf = (block: Block) => {
  if (block.kind === 'paragraph') return [block.line];
  if (block.kind === 'list') return block.items;
  return block.kind === 'table' ? [...block.head, ...block.rows.flat()] : [];
};
const linksOf = (blocks: readonly Block[]) =>
  blocks
    .flatMap(linesOf)
    .flat()
    .flatMap((part) => (part.kind === 'link' ? [part.to] : []));

describe.each(languages)('the guide in %s', (language) => {
  it.each(screens)('has a page for the screen %s', (name) => {
    expect(pagesIn(language)).toContain(`${name}.md`);
  });

  it.each(pagesIn(language))('has a title, a picture, and all that %s refers to', (file) => {
    const blocks = read(language, file);
    expect(blocks[0]).toMatchObject({ kind: 'heading', level: 1 });
    expect(sourcesOf(blocks)).not.toEqual([]);
    for (const source of sourcesOf(blocks)) {
      expect(existsSync(path.join(guide, language, source)), source).toBe(true);
    }
    for (const link of linksOf(blocks)) {
      expect(existsSync(path.join(guide, language, link)), link).toBe(true);
    }
  });

  it('has no picture that no page shows', () => {
    const shown = pagesIn(language).flatMap((file) => sourcesOf(read(language, file)));
    expect(picturesIn(language).sort()).toEqual(shown.map((one) => path.basename(one)).sort());
  });
});

it('the pages of both languages have the same headings and pictures', () => {
  const outline = (language: string, file: string) =>
    read(language, file).map((block) => [block.kind, block.kind === 'picture' && block.source]);
  for (const file of pagesIn('ru')) expect(outline('en', file), file).toEqual(outline('ru', file));
});

it('the pictures of the guide are small', () => {
  const bytes = languages.flatMap((language) =>
    picturesIn(language).map((file) => statSync(path.join(guide, language, 'pictures', file)).size),
  );
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(MOST_BYTES);
});
