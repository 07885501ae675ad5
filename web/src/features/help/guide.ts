import type { Block, Inline } from './markdown.ts';

/** Documents as modules, by file. */
export type PageFiles = Readonly<Record<string, { readonly blocks: readonly Block[] }>>;

/** A page of the guide. */
export interface GuidePage {
  /** As in its address. */
  readonly name: string;
  readonly title: string;
  readonly blocks: readonly Block[];
  /** All of its text in lower case, for the search. */
  readonly words: string;
}

/** The first pages of the menu, by name; further ones follow by title. */
const FIRST: readonly string[] = [
  ...[
    'help',
    'login',
    'new-password',
    'setup',
    'second-factor',
    'home',
    'buses',
    'bus',
    'bus-service',
    'bus-gps',
    'bus-route',
    'review',
  ],
  ...['stats', 'reports', 'demo-advanced-report', 'test-export', 'news', 'faq', 'account'],
  ...['alerts', 'admin', 'connect'],
];

/** Makes the pages of their files, in the order of the menu. */
export function pagesOf(files: PageFiles): GuidePage[] {
  const pages = Object.entries(files).map(([file, { blocks }]) => {
    const name = file.replace(/^.*\/|\.md$/g, '');
    const words = wordsOf(blocks).toLowerCase();
    return { name, title: titleOf(blocks) ?? name, blocks, words };
  });
  const placeOf = ({ name }: GuidePage) =>
    FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length;
  return pages.toSorted((a, b) => placeOf(a) - placeOf(b) || a.title.localeCompare(b.title));
}

/** Whether a text has every word of a query. @param words in lower case */
export function hasWords(words: string, query: string): boolean {
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));
}

function titleOf(blocks: readonly Block[]): string | undefined {
  for (const block of blocks) if (block.kind === 'heading') return block.text;
  return undefined;
}

function wordsOf(blocks: readonly Block[]): string {
  const lineOf = (line: readonly Inline[]) => line.map(({ text }) => text).join('');
  return blocks
    .map((block) => {
      switch (block.kind) {
        case 'paragraph':
          return lineOf(block.line);
        case 'list':
          return block.items.map(lineOf).join(' ');
        case 'table':
          return [block.head, ...block.rows].flat().map(lineOf).join(' ');
        default:
          return block.text;
      }
    })
    .join(' ');
}
