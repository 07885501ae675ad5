import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileWords } from './file-words.ts';

const READER = path.resolve(import.meta.dirname, '../../../../../server/src/routes/files');

/** The sentences of the reader as they stand in its code, with something in place of what is filled in. */
function sentences(): string[] {
  const files = readdirSync(READER).filter((name) => !name.includes('.test.'));
  const said = files.flatMap((name) => {
    const code = readFileSync(path.join(READER, name), 'utf8').replace(/^\s*(\/\/|\*).*$/gm, '');
    return [...code.matchAll(/(['`])((?:(?!\1).){8,}?\.)\1/g)].map(([, , text = '']) => text);
  });
  return said
    .filter((text) => /^(\$\{[^}]+\}|[A-Z])\S* .* .*\.$/.test(text))
    .map((text) => text.replace(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, '3'));
}

describe('what the server says of a route file', () => {
  it('is known sentence by sentence, so that it can be said in Russian', () => {
    const all = sentences();
    expect(all.length).toBeGreaterThan(25);
    expect(all.filter((one) => !/[а-яё]/i.test(fileWords(one, 'ru_RU')))).toEqual([]);
  });

  it('keeps its figures and names', () => {
    expect(fileWords('Line 7 of the table has no latitude and longitude.', 'ru_RU')).toBe(
      'В строке 7 таблицы нет широты и долготы.',
    );
    expect(fileWords('Left out: 2 areas.', 'ru_RU')).toBe('Пропущено: 2 площадей.');
    expect(fileWords('2 lines were joined into one.', 'ru_RU')).toBe('2 линии соединены в одну.');
  });

  it('is left as it is in English, and where it is not known', () => {
    expect(fileWords('The file is empty.', 'en_US')).toBe('The file is empty.');
    expect(fileWords('Something new.', 'ru_RU')).toBe('Something new.');
  });
});
