import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { NoLaps } from './no-laps.tsx';
import { en } from './texts-en.ts';

// The language is in local storage, which this environment does not have.
vi.mock('./use-gps-text.ts', () => ({ useGpsText: () => en }));

it.each([
  [{ pending: false, failure: null }, false, en.empty.title],
  [{ pending: false, failure: null }, true, en.begun.title],
  [{ pending: true, failure: null }, false, en.workingTitle],
  [{ pending: false, failure: 'too_long' }, true, en.unworkedTitle],
  // The data changed afterwards, so the day is calculated again.
  [{ pending: true, failure: 'too_large' }, true, en.workingTitle],
] as const)('a day without laps that is %j, begun: %s, says so', (day, isBegun, title) => {
  expect(renderToStaticMarkup(<NoLaps day={day} isBegun={isBegun} />)).toContain(title);
});
