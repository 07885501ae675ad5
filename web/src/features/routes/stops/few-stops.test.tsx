import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { FewStops } from './few-stops.tsx';

// The language is in local storage, which this environment does not have.
vi.mock('../../../i18n/language.ts', () => ({ useLanguage: () => 'en_US' }));

it('a route with one stop says that it has no laps, and one with more or none says nothing', () => {
  const [none, one, two] = [0, 1, 2].map((count) =>
    renderToStaticMarkup(<FewStops count={count} />),
  );
  expect(one).toContain('No laps are found, as there is one stop only: add another one.');
  expect([none, two]).toEqual(['', '']);
});
