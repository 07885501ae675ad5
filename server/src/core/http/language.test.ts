import { expect, it } from 'vitest';
import { languageOf } from './language.ts';

it('a client gets the language that it would rather read, English for neither', () => {
  const headers = ['ru-RU,ru;q=0.9,en;q=0.8', 'en-US', 'de, ru;q=0.5', 'ru;q=0', '', undefined];
  expect(headers.map(languageOf)).toEqual(['ru', 'en', 'ru', 'en', 'en', 'en']);
});
