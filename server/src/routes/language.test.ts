import { expect, it } from 'vitest';
import { languageOf, unnamedStop } from './language.ts';

it('a client gets the language that it would rather read, English for neither', () => {
  const headers = ['ru-RU,ru;q=0.9,en;q=0.8', 'en-US', 'de, ru;q=0.5', 'ru;q=0', '', undefined];
  expect(headers.map(languageOf)).toEqual(['ru', 'en', 'ru', 'en', 'en', 'en']);
});

it('a stop without a name has a number', () => {
  expect([unnamedStop(3, 'ru'), unnamedStop(3, 'en')]).toEqual(['Остановка 3', 'Stop 3']);
});
