import { expect, it } from 'vitest';
import { message, translate } from './messages.ts';

it('a message is said in either language', () => {
  expect(translate(message('brokenXml', 7), 'ru')).toBe('Ошибка в XML, строка 7.');
  expect(translate(message('brokenXml', 7), 'en')).toBe('The XML has a syntax error in line 7.');
});
