import type { RouteReplacement } from '@ridewatch/contract/route-proposal';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { losesParts } from './loses-parts.ts';
import { Replacement } from './replacement.tsx';

// The language is in local storage, which this environment does not have.
vi.mock('../../../i18n/language.ts', () => ({ useLanguage: () => 'en_US' }));

const nothing: RouteReplacement = {
  track: false,
  stops: true,
  stops_kept: 3,
  stops_added: 0,
  stops_removed: 0,
  prices_removed: 0,
  patterns_removed: [],
};

it('patterns that end are named, and asked about like stops that go', () => {
  const ends = { ...nothing, patterns_removed: ['Короткий', 'Дальний'] };
  const drawn = renderToStaticMarkup(<Replacement of={ends} route="5" day="2026-03-10" />);
  expect(drawn).toContain('>Patterns that end: Короткий, Дальний.<');
  expect([nothing, ends, { ...nothing, stops_removed: 1 }].map(losesParts)).toEqual([
    false,
    true,
    true,
  ]);
});
