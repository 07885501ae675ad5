import { describe, expect, it } from 'vitest';
import { type FieldRules, fieldProblem } from './field-problem.ts';
import { en } from './texts-en.ts';
import { ru } from './texts-ru.ts';

const english = (text: string, rules: FieldRules) => fieldProblem(text, rules, en.problems);

describe('a field says what is wrong with it', () => {
  it('when it has to be filled in and is empty, or holds only spaces', () => {
    expect(english(' ', { isRequired: true })).toBe('Please fill this in');
    expect(english('', {})).toBeUndefined();
  });

  it('when it is longer than it may be', () => {
    const rules = { mostLength: 255 };
    expect(english('x'.repeat(255), rules)).toBeUndefined();
    expect(english('x'.repeat(256), rules)).toBe('At most 255 characters');
    expect(fieldProblem('x'.repeat(256), rules, ru.problems)).toBe('Не длиннее 255 символов');
  });

  it('when it has characters that nobody sees', () => {
    for (const sign of ['\u200b', '\u2800', '\u0007', '\u202e', '\ufeff', '\u3164', '\u00ad']) {
      const text = `Bus${sign}1`;
      expect(english(text, {}), sign).toBe('There are invisible characters');
      expect(english(text, { isLong: true })).toBeUndefined();
    }
    for (const fine of ['№ 1 «Ё»\u00a0❤️ 👨‍👩‍👧', '👩🏽‍🚒', '7️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'می\u200cخواهم']) {
      expect(english(fine, {}), fine).toBeUndefined();
    }
  });

  it.each([
    ['45', {}, undefined],
    ['45,5', {}, undefined],
    ['4x', {}, 'Please enter a number'],
    ['4,5', { isWhole: true }, 'Please enter a whole number'],
    ['-1', { least: 0 }, '0 at least'],
    ['101', { most: 100 }, '100 at most'],
    ['101', { least: 0, most: 100 }, 'A number from 0 to 100'],
    ['0', { least: 1, most: 99, isWhole: true }, 'A whole number from 1 to 99'],
    ['2.5', { least: 1, most: 99, isWhole: true }, 'A whole number from 1 to 99'],
  ])('when "%s" is not the number it asks for (%o)', (text, number, problem) => {
    expect(english(text, { number })).toBe(problem);
  });
});
