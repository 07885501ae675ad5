import type { FeedWay } from '@ridewatch/contract/feed-ways';
import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { freshServer, showPart } from '../../../test/open.tsx';
import { FeedPatterns } from './feed-patterns.tsx';

const way = (id: string, direction: FeedWay['direction'], name: string): FeedWay => ({
  ...{ id, direction, name, route: 0, stops: 3, trips: 2 },
});
const ways = [
  way('0.0.0', 'FORWARD', 'Вокзал → Рынок'),
  way('0.0.1', 'FORWARD', 'Вокзал → Школа'),
  way('0.1.0', 'REVERSE', 'Рынок → Вокзал'),
  way('0.1.1', 'REVERSE', 'Школа → Вокзал'),
];
const PAIR = '0.0.0+0.1.0';
const ALL = '0.0.0+0.1.0,0.0.1+0.1.1';
const choices = [PAIR, ALL].map((id) => ({ id, name: id, stops: 6, points: 9 }));

beforeEach(() => {
  freshServer();
});

/** The part with what the user has chosen below it. */
function Feed() {
  const [choice, setChoice] = useState(PAIR);
  return (
    <>
      <FeedPatterns proposal={{ choice, choices, ways }} isBusy={false} onChoice={setChoice} />
      <output>{choice}</output>
    </>
  );
}

it('a route takes any ways of a feed as its patterns: one more, another way back, all', async () => {
  const { hand } = await showPart(<Feed />);
  const part = within(await screen.findByRole('region', { name: 'Patterns of the route' }));
  const chosen = () => screen.getByRole('status').textContent;
  expect(part.queryByRole('button', { name: /Leave out/ })).not.toBeInTheDocument();
  await hand.click(part.getByRole('button', { name: 'Add a pattern' }));
  expect(chosen()).toBe(ALL);
  expect(part.queryByRole('button', { name: 'Add a pattern' })).not.toBeInTheDocument();
  await hand.click(part.getByRole('button', { name: 'Leave out pattern 1' }));
  expect(chosen()).toBe('0.0.1+0.1.1');
  await hand.click(await part.findByRole('combobox', { name: /^Back/ }));
  await hand.click(await screen.findByRole('option', { name: /Рынок → Вокзал/ }));
  expect(chosen()).toBe('0.0.1+0.1.0');
  await hand.click(part.getByRole('button', { name: 'Take all: 2' }));
  expect(chosen()).toBe(ALL);
});
