// The users' guide is whole: each screen has a page in both languages, with pictures and links that lead somewhere.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { AdminSection } from '@ridewatch/contract/admin-sections';
import { pagesOf } from '@ridewatch/web/src/features/help/guide.ts';
import { type Block, readMarkdown } from '@ridewatch/web/src/features/help/markdown.ts';
import { searchGuide } from '@ridewatch/web/src/features/help/search.ts';
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

const web = path.resolve(import.meta.dirname, '../web/src');
const quotes = { ru: /«([^»]+)»/g, en: /“([^”]+)”/g } as const;
/** Names of file formats, which are the same everywhere and stand in no text of a screen. */
const FORMATS: readonly string[] = ['XLSX', 'CSV'];

/** An apostrophe in one would begin a text. */
const COMMENT = /\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** Texts of screens in a language, as they are written: a value in one is a variable. */
const saidIn = (language: 'ru' | 'en') =>
  readdirSync(web, { recursive: true, encoding: 'utf8' })
    .filter((file) => new RegExp(`-${language}\\.ts$|i18n/${language}/`).test(file))
    .flatMap((file) => {
      const text = readFileSync(path.join(web, file), 'utf8').replace(COMMENT, '');
      const literals = text.matchAll(/(['"`])((?:(?!\1)[^\\]|\\.)*)\1/g);
      return [...literals].map(([, , literal]) => literal ?? '');
    });
/** Whether a label is a text, or its beginning: one with an ellipsis, or up to punctuation or a value. */
const isSaid = (label: string, texts: readonly string[]) => {
  const begins = label.replace(/\s*…$/, '');
  const rest = begins === label ? /^$|^\p{P}|^ (?:\$\{|«|“)/u : /^\P{L}|^$/u;
  return texts.some((text) => text.startsWith(begins) && rest.test(text.slice(begins.length)));
};

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

  it('quotes only what the screens say', () => {
    const texts = saidIn(language);
    const wrong = pagesIn(language).flatMap((file) =>
      read(language, file)
        .flatMap(linesOf)
        .map((line) => line.map(({ text }) => text).join(''))
        .flatMap((text) => [...text.matchAll(quotes[language])].map(([, label]) => label ?? ''))
        .filter((label) => !FORMATS.includes(label) && !isSaid(label, texts))
        .map((label) => `${file}: ${label}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has a place for each section of the administration', () => {
    const places = read(language, 'admin.md').flatMap((block) =>
      block.kind === 'place' ? [block.id] : [],
    );
    expect(places.toSorted()).toEqual([...AdminSection.options].toSorted());
  });

  it('has no picture that no page shows', () => {
    const shown = pagesIn(language).flatMap((file) => sourcesOf(read(language, file)));
    const once = new Set(shown.map((one) => path.basename(one)));
    expect(picturesIn(language).sort()).toEqual([...once].sort());
  });
});

it.each([
  ['ru', 'второй фактор', 'account'],
  ['ru', 'двухфакторная', 'account'],
  ['ru', 'тёмная', 'account'],
  ['ru', 'тёмная тема', 'account'],
  ['ru', 'scope', 'admin'],
  ['ru', 'Перенос прибора', 'admin'],
  ['ru', 'перенести прибор', 'admin'],
  ['ru', 'RDF', 'connect-egts'],
  ['ru', 'канал регистратора', 'connect-jt808'],
  ['ru', 'Traccar', 'connect-osmand'],
  ['ru', 'подключить систему', 'other-systems'],
  ['en', '2FA', 'account'],
  ['en', 'dark theme', 'account'],
  ['en', 'scope', 'admin'],
] as const)('the search of the guide in %s finds “%s” on the page %s', (language, query, name) => {
  const files = pagesIn(language).map((file) => [file, { blocks: read(language, file) }]);
  const hits = searchGuide(pagesOf(Object.fromEntries(files)), query);
  expect(hits.map(({ page }) => page.name)).toContain(name);
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
