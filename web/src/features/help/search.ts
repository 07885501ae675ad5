import type { GuidePage, Section } from './guide.ts';

/** A piece of a quoted line. */
interface Piece {
  /** Its place in the quote, from 0 on. */
  readonly place: number;
  readonly text: string;
  /** It is a word that was searched. */
  readonly isFound: boolean;
}

/** A place of the guide that has the words of a query. */
export interface Hit {
  readonly page: GuidePage;
  /** Of its heading. */
  readonly id: string;
  /** Its heading; undefined at the beginning of the page. */
  readonly heading: string | undefined;
  readonly excerpt: readonly Piece[];
}

const WORD = /([\p{L}\p{N}]+)/gu;
/** A question has them, and a text about its subject may lack them. */
const SMALL = /^(?:..?|the|how|and|for|can|как|что|где|для|или)$/u;
/** Quoted characters before the first word that was found, and of all. */
const BEFORE = 40;
const LENGTH = 140;
/** The worth of a word, by its place. */
const IN_TITLE = 3;
const IN_HEADING = 2;
const IN_TEXT = 1;
/** Words that begin alike to so many letters are forms of one word. */
const STEM = 4;

/** Finds the places that have all words of a query, the best first. */
export function searchGuide(pages: readonly GuidePage[], query: string): Hit[] {
  const all = wordsOf(query);
  const telling = all.filter((word) => !SMALL.test(word));
  const wanted = telling.length > 0 ? telling : all;
  const ranked = pages.flatMap((page) =>
    page.sections.map((section) => ({ page, section, rank: rankOf(page, section, wanted) })),
  );
  return ranked
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ page, section, section: { id, lines } }) => {
      const isStart = section === page.sections[0];
      // Under most titles there is only a picture.
      const quoted = isStart && lines.length === 0 ? (page.sections[1]?.lines ?? []) : lines;
      const excerpt = quote(bestLine(quoted, wanted), wanted);
      return { page, id, heading: isStart ? undefined : section.heading, excerpt };
    });
}

/** The same places in another language: both have the same pages, with the same sections. The quotes stay as they were found. */
export function sameIn(pages: readonly GuidePage[], hits: readonly Hit[]): Hit[] {
  return hits.flatMap(({ page: { name, sections }, id, excerpt }) => {
    const page = pages.find((one) => one.name === name);
    const at = sections.findIndex((section) => section.id === id);
    const section = page?.sections[at];
    if (page === undefined || section === undefined) return [];
    return [{ page, id: section.id, heading: at === 0 ? undefined : section.heading, excerpt }];
  });
}

/** How well a section answers; 0 if it lacks a word, or has none of its own. */
function rankOf(page: GuidePage, section: Section, wanted: readonly string[]): number {
  const title = wordsOf(page.title);
  const heading = wordsOf(section.heading);
  const text = section.lines.flatMap(wordsOf);
  const ofHeading = section === page.sections[0] ? IN_TITLE : IN_HEADING;
  let rank = 0;
  for (const word of wanted) {
    const own = Math.max(likeness(heading, word) * ofHeading, likeness(text, word) * IN_TEXT);
    if (own === 0 && likeness(title, word) === 0) return 0;
    rank += own;
  }
  return rank;
}

/** The words of a text as they are compared. */
export function wordsOf(text: string): string[] {
  return (text.match(WORD) ?? []).map((word) => word.toLowerCase().replaceAll('ё', 'е'));
}

/** 2 if one of the words begins with the wanted one, or is its singular, 1 if one is another form of it, else 0. */
export function likeness(words: readonly string[], wanted: string): number {
  const stem = wanted.replace(/(?<=..[^sui])s$/, '');
  const single = wanted.replace(/(?<=s|x|z|ch|sh)es$/, '');
  if (words.some((word) => word.startsWith(stem) || word === single)) return 2;
  return words.some((word) => isForm(word, wanted)) ? 1 : 0;
}

/** Whether two words are alike but for their endings, as таблица and таблицу: these are no longer than what is common. */
function isForm(one: string, other: string): boolean {
  let common = 0;
  while (common < one.length && one[common] === other[common]) common++;
  return common >= STEM && one.length + other.length <= 3 * common;
}

/** The line that has most of the words; empty if there is no line. */
function bestLine(lines: readonly string[], wanted: readonly string[]): string {
  const counts = lines.map((line) => {
    const words = wordsOf(line);
    return wanted.filter((word) => likeness(words, word) > 0).length;
  });
  return lines[counts.indexOf(Math.max(...counts))] ?? '';
}

/** A line, cut around the first word that was found. */
function quote(line: string, wanted: readonly string[]): Piece[] {
  const isFound = (text: string) => wanted.some((word) => likeness(wordsOf(text), word) > 0);
  const at = [...line.matchAll(WORD)].find(([word]) => isFound(word))?.index ?? 0;
  const from = at > BEFORE ? line.lastIndexOf(' ', at - BEFORE) + 1 : 0;
  const isCut = line.length > from + LENGTH;
  const to = isCut ? line.lastIndexOf(' ', from + LENGTH) : line.length;
  const shown = `${from > 0 ? '… ' : ''}${line.slice(from, to)}${isCut ? ' …' : ''}`;
  return shown.split(WORD).map((text, place) => ({ place, text, isFound: isFound(text) }));
}
