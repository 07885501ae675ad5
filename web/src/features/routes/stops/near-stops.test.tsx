import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { NearStops } from './near-stops.tsx';

// The language is in local storage, which this environment does not have.
vi.mock('../../../i18n/language.ts', () => ({ useLanguage: () => 'en_US' }));

const stops = Array.from({ length: 1000 }, (_, id) => ({ id, name: `Stop ${id}` }));
const drawn = (pairs: number): string =>
  renderToStaticMarkup(
    <NearStops
      stops={stops}
      pairs={Array.from({ length: pairs }, (_, from) => ({ from, to: from + 1 }))}
    />,
  );

it('stops at one place are named, both of them', () => {
  expect(drawn(1)).toContain('>“Stop 0” and “Stop 1” are at one place<');
  expect(drawn(4)).not.toContain('more');
});

it('of a thousand stops at one place a handful is named, and how many there are besides', () => {
  expect(drawn(999).match(/are at one place/g)).toHaveLength(4);
  expect(drawn(999)).toContain('>and 995 more<');
});

it('nothing is said where every stop has a place of its own', () => expect(drawn(0)).toBe(''));
