import { describe, expect, it } from 'vitest';
import { readInline, readMarkdown } from './markdown.ts';

describe('the Markdown of our documents', () => {
  it('has headings with the ids that links name', () => {
    expect(readMarkdown('# Счёт людей\n## `adding`, at once')).toEqual([
      { kind: 'heading', level: 1, id: 'счёт-людей', text: 'Счёт людей' },
      { kind: 'heading', level: 2, id: 'adding-at-once', text: 'adding, at once' },
    ]);
  });

  it('has places that addresses name in every language, before their heading', () => {
    expect(readMarkdown('<a id="units"></a>\n<a id="buses"></a>\n\n### Приборы')).toEqual([
      { kind: 'place', id: 'units' },
      { kind: 'place', id: 'buses' },
      { kind: 'heading', level: 3, id: 'приборы', text: 'Приборы' },
    ]);
  });

  it('has marks in a line, and nothing of a text becomes HTML', () => {
    expect(readInline('a `<b>` **c** <kbd>?</kbd> [d](e.md#f) <script>')).toEqual([
      { kind: 'text', text: 'a ' },
      { kind: 'code', text: '<b>' },
      { kind: 'text', text: ' ' },
      { kind: 'strong', text: 'c' },
      { kind: 'text', text: ' ' },
      { kind: 'key', text: '?' },
      { kind: 'text', text: ' ' },
      { kind: 'link', text: 'd', to: 'e.md#f' },
      { kind: 'text', text: ' <script>' },
    ]);
  });

  it('has emphasised words, and stars that emphasise nothing', () => {
    expect(readInline('*Device identifier*: **the** id, 2 * 3 * 4')).toEqual([
      { kind: 'emphasis', text: 'Device identifier' },
      { kind: 'text', text: ': ' },
      { kind: 'strong', text: 'the' },
      { kind: 'text', text: ' id, 2 * 3 * 4' },
    ]);
  });

  it('joins the lines of a paragraph and of an item', () => {
    const plain = (text: string) => [{ kind: 'text', text }];
    expect(readMarkdown('one\ntwo\n\n1. three\n   four\n2. five\nsix')).toEqual([
      { kind: 'paragraph', line: plain('one two') },
      { kind: 'list', isOrdered: true, items: [plain('three four'), plain('five')] },
      { kind: 'paragraph', line: plain('six') },
    ]);
  });

  it('has tables, code and pictures', () => {
    const cell = (text: string) => [{ kind: 'text', text }];
    expect(
      readMarkdown('| a | b |\n| --- | --- |\n| c | d \\| e |\n```\n# f\n```\n![g](h.webp)'),
    ).toEqual([
      { kind: 'table', head: [cell('a'), cell('b')], rows: [[cell('c'), cell('d | e')]] },
      { kind: 'code', text: '# f' },
      { kind: 'picture', text: 'g', source: 'h.webp' },
    ]);
  });
});
