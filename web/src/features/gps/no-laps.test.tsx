import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { NoLaps } from './no-laps.tsx';
import { en } from './texts-en.ts';

// The language is in local storage, which this environment does not have.
vi.mock('./use-gps-text.ts', () => ({ useGpsText: () => en }));

it.each([
  [{ pending: false, failure: null }, en.emptyTitle],
  [{ pending: true, failure: null }, en.workingTitle],
  [{ pending: false, failure: 'too_long' }, en.unworkedTitle],
  // The data changed afterwards, so the day is calculated again.
  [{ pending: true, failure: 'too_large' }, en.workingTitle],
] as const)('a day without laps that is %j says so', (day, title) => {
  expect(renderToStaticMarkup(<NoLaps day={day} />)).toContain(title);
});
