import { expect, it } from 'vitest';
import { say, sentence } from './messages.ts';

it('a sentence is said in either language', () => {
  expect(say(sentence('brokenXml', 7), 'ru')).toBe('Ошибка в XML, строка 7.');
  expect(say(sentence('brokenXml', 7), 'en')).toBe('The XML is broken in line 7.');
});
