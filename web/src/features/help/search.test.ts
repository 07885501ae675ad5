import { describe, expect, it } from 'vitest';
import { pagesOf } from './guide.ts';
import { readMarkdown } from './markdown.ts';
import { sameIn, searchGuide } from './search.ts';

const pages = pagesOf({
  'ru/admin.md': {
    blocks: readMarkdown(
      [
        '# Управление\n\nКто и что есть в системе.\n\n## Что нажимать\n',
        '- «Добавить …» создаёт запись.',
        '- «Загрузить из таблицы» создаёт приборы из XLSX или CSV.\n\n### Ключи API\n',
        'Ключ читает то, что видит клиент; учёт ведёт журнал.',
      ].join('\n'),
    ),
  },
  'ru/buses.md': {
    blocks: readMarkdown(
      '# Автобусы\n\n![Список](a.webp)\n\n## На что отвечает\n\nГде едут.\n\n## Таблица\n\n| поле | что в нём |\n| --- | --- |\n| круг | номер круга |',
    ),
  },
  'en/reports.md': { blocks: readMarkdown('# Reports\n\nA key opens the buses and their days.') },
});
const places = (query: string) => searchGuide(pages, query).map(({ page, id }) => [page.name, id]);
const excerpt = (query: string) =>
  searchGuide(pages, query)[0]
    ?.excerpt.map(({ text, isFound }) => (isFound ? `[${text}]` : text))
    .join('');

describe('the search of the guide', () => {
  it('finds words of the text in any form, and leads to the heading above them', () => {
    expect(places('загрузить таблицу')).toEqual([['admin', 'что-нажимать']]);
    expect(places('загрузка таблиц')).toEqual([['admin', 'что-нажимать']]);
    expect(places('ключами')).toEqual([['admin', 'ключи-api']]);
    expect(places('номера кругов')).toEqual([['buses', 'таблица']]);
    expect(places('keys')).toEqual([['reports', 'reports']]);
    expect(places('создатель')).toEqual([]);
  });

  it('finds a word by its beginning, in small or large letters, with е for ё', () => {
    expect(places('ап')).toEqual([]);
    expect(places('XL')).toEqual([['admin', 'что-нажимать']]);
    expect(places('УЧЕТ')).toEqual([['admin', 'ключи-api']]);
  });

  it('finds the single of a plural, and no word that only begins like it', () => {
    const found = (text: string, query: string) =>
      searchGuide(pagesOf({ 'en/a.md': { blocks: readMarkdown(`# A\n\n${text}.`) } }), query)
        .length;
    const plurals = [
      ...['note notes', 'file files', 'line lines', 'date dates', 'bus buses', 'box boxes'],
      ...['watch watches', 'key keys', 'page pages', 'stop stops', 'day days'],
    ];
    for (const pair of plurals) {
      const [single = '', plural = ''] = pair.split(' ');
      expect([pair, found(single, plural), found(plural, single)]).toEqual([pair, 1, 1]);
    }
    const others = [
      'not notes',
      'filter files',
      'link lines',
      'data dates',
      'basic bases',
      'thing this',
    ];
    for (const pair of others) {
      const [other = '', plural = ''] = pair.split(' ');
      expect([pair, found(other, plural)]).toEqual([pair, 0]);
    }
  });

  it('wants all words, but the small ones of a question', () => {
    expect(places('загрузить автобус')).toEqual([]);
    expect(places('как загрузить в таблицу')).toEqual([['admin', 'что-нажимать']]);
    expect(places('')).toEqual([]);
    expect(places('  ?! ')).toEqual([]);
  });

  it('puts a title before a heading, and a heading before the text', () => {
    expect(places('таблица')).toEqual([
      ['buses', 'таблица'],
      ['admin', 'что-нажимать'],
    ]);
    expect(places('автобусы')[0]).toEqual(['buses', 'автобусы']);
    // A word of the title alone leads to the beginning of the page, together with others to where those are.
    expect(places('управление')).toEqual([['admin', 'управление']]);
    expect(places('управление ключи')).toEqual([['admin', 'ключи-api']]);
  });

  it('quotes the line that has most of the words, and marks them', () => {
    expect(excerpt('загрузить таблицу')).toBe(
      '«[Загрузить] из [таблицы]» создаёт приборы из XLSX или CSV.',
    );
    expect(excerpt('номер')).toBe('круг · [номер] круга');
    expect(excerpt('управление')).toBe('Кто и что есть в системе.');
    expect(excerpt('автобус')).toBe('Где едут.');
  });

  it('leads to the same place in another language, and keeps what it quotes', () => {
    const english = pagesOf({
      'en/admin.md': {
        blocks: readMarkdown(
          '# Administration\n\n## What to press\n\n### API keys\n\nA key reads.',
        ),
      },
    });
    const [hit, ...more] = sameIn(english, searchGuide(pages, 'ключи'));
    expect(more).toEqual([]);
    expect(hit).toMatchObject({ page: { name: 'admin' }, id: 'api-keys', heading: 'API keys' });
    expect(hit?.excerpt.map(({ text }) => text).join('')).toMatch(/^Ключ читает/);
    expect(sameIn([], searchGuide(pages, 'ключи'))).toEqual([]);
  });

  it('cuts a long line between words around the first word that it found', () => {
    const long = pagesOf({
      'a.md': { blocks: readMarkdown(`# A\n\n${'word '.repeat(60)}needle ${'more '.repeat(60)}`) },
    });
    const [hit] = searchGuide(long, 'needle');
    expect(hit?.excerpt.map(({ text }) => text).join('')).toMatch(/^… (word )+needle( more)+ …$/);
    expect(hit?.excerpt.map(({ text }) => text).join('').length).toBeLessThan(170);
  });
});
