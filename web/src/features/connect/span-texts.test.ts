import { expect, it } from 'vitest';
import { ru } from './texts-ru.ts';

it('a clock that is days off is told in a sentence with one full stop', () => {
  expect(ru.details.clock({ count: 2, unit: 'd' }, true)).toBe('Часы спешат на 2\u00a0д.');
});
