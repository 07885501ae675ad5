import { expect, it } from 'vitest';
import { unnamedStop } from './unnamed-stop.ts';

it('a stop without a name has a number', () => {
  expect([unnamedStop(3, 'ru'), unnamedStop(3, 'en')]).toEqual(['Остановка 3', 'Stop 3']);
});
