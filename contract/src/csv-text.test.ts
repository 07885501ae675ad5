import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guarded, unguarded } from './csv-text.ts';

const starts = fc.string({ unit: fc.constantFrom("'", '=', '-', '@', '+', '\t', '\r', '＝', 'a') });
const texts = fc.oneof(fc.string({ unit: 'grapheme' }), starts);

describe('a typed text in a cell', () => {
  it('is read back as it was, whatever it begins with', () => {
    fc.assert(fc.property(texts, (text) => unguarded(guarded(text)) === text));
  });

  it('never begins like a formula', () => {
    fc.assert(fc.property(texts, (text) => !/^[=+\-@\t\r\n＝＋－＠]/.test(guarded(text))));
  });

  it('with an apostrophe differs from the one without', () => {
    expect(['-7', "'-7", "''-7", "'s", 'A 1'].map(guarded)).toEqual([
      ...["'-7", "''-7", "'''-7", "'s", 'A 1'],
    ]);
  });
});
