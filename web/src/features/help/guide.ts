import type { Block, Inline } from './markdown.ts';

/** Documents as modules, by file. */
export type PageFiles = Readonly<Record<string, { readonly blocks: readonly Block[] }>>;

/** A page of the guide. */
export interface GuidePage {
  /** As in its address. */
  readonly name: string;
  readonly title: string;
  readonly blocks: readonly Block[];
  /** The parts that the search looks through; the first one is the beginning, under the title. */
  readonly sections: readonly Section[];
}

/** The text under one heading. */
export interface Section {
  /** Of the heading, as in an address. */
  readonly id: string;
  readonly heading: string;
  /** The text of its paragraphs, items and rows. */
  readonly lines: readonly string[];
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
  ...['alerts', 'admin', 'connect', 'connect-egts', 'connect-jt808', 'connect-osmand'],
  'other-systems',
];

/** Makes the pages of their files, in the order of the menu. */
export function pagesOf(files: PageFiles): GuidePage[] {
  const pages = Object.entries(files).map(([file, { blocks }]) => {
    const name = file.replace(/^.*\/|\.md$/g, '');
    const sections = sectionsOf(blocks);
    return { name, title: sections[0]?.heading ?? name, blocks, sections };
  });
  const placeOf = ({ name }: GuidePage) =>
    FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length;
  return pages.toSorted((a, b) => placeOf(a) - placeOf(b) || a.title.localeCompare(b.title));
}

function sectionsOf(blocks: readonly Block[]): Section[] {
  const sections: { id: string; heading: string; lines: string[] }[] = [];
  for (const block of blocks) {
    if (block.kind === 'heading') {
      sections.push({ id: block.id, heading: block.text, lines: [] });
    } else {
      sections.at(-1)?.lines.push(...linesOf(block));
    }
  }
  return sections;
}

function linesOf(block: Exclude<Block, { kind: 'heading' }>): string[] {
  const textOf = (line: readonly Inline[]) => line.map(({ text }) => text).join('');
  switch (block.kind) {
    case 'paragraph':
      return [textOf(block.line)];
    case 'list':
      return block.items.map(textOf);
    case 'table':
      return block.rows.map((cells) => cells.map(textOf).join(' · '));
    case 'code':
      return [block.text];
    case 'picture':
    case 'place':
      return [];
  }
}
