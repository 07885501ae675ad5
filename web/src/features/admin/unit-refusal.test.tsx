// A unit whose form wants it where it cannot be: each cause has its own words, and names the unit that is in the way.
import { listAdminBuses } from '@ridewatch/contract/admin-buses';
import { createUnit, findUnit, updateUnit } from '@ridewatch/contract/admin-units';
import type { MoveRefusal } from '@ridewatch/contract/move-refusal';
import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { madeUnit } from '../../test/admin-unit.ts';
import { NOW } from '../../test/browser.ts';
import { page } from '../../test/made.ts';
import { answerFleet, madeBus, openDrawer } from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import { type FakeServer, refusal } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
});
const wanted = `${madeBus.name} · Иван`;
const refuse = (code: 'conflict' | 'invalid_request', field: string, current: MoveRefusal) =>
  server.answer(updateUnit, refusal(code, { field, current }));

/** Moves the unit to another bus and saves. */
async function move() {
  const { press, choose, drawer } = await openDrawer(server, 'units', '7');
  await press('Edit');
  await choose('Bus', wanted);
  await press('Save');
  return drawer;
}

describe('a bus to which a unit cannot move', () => {
  it.each([
    [{ cause: 'bus_taken', device_id: 'RW-12' }, 'Unit RW-12 is there already: move it first'],
    [{ cause: 'in_test' }, 'This unit is in test mode: end the test first'],
    [{ cause: 'test_counted' }, /^The records of its last test are still being counted/],
  ] as [MoveRefusal, string | RegExp][])('says so because of %o', async (current, said) => {
    refuse('conflict', 'bus_id', current);
    const drawer = await move();
    expect(await drawer.findByText(said)).toBeVisible();
  });

  it('names the unit also before the first one is created', async () => {
    const current = { cause: 'bus_taken', device_id: 'RW-12' };
    server.answer(createUnit, refusal('conflict', { field: 'bus_id', current }));
    const { press, write, choose, drawer } = await openDrawer(server, 'units', 'new');
    await write('Device id', 'RW-9');
    await choose('Bus', wanted);
    await press('Create');
    expect(await drawer.findByText('Unit RW-12 is there already: move it first')).toBeVisible();
  });
});

const cameras = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...{ name: `Дверь ${at + 1}`, stream_id: `door${at + 1}` },
  }));

describe('a moment from which a unit cannot move', () => {
  it.each([
    ['conflict', { cause: 'came_later', since: NOW }, /before: .* not before 10\.03\.2026 15:00$/],
    [
      ...([
        'conflict',
        { cause: 'other_unit', until: '2026-03-09T07:10:30.000Z', device_id: 'RW-3' },
      ] as const),
      /^Unit RW-3 was in the bus then: .* not before 09\.03\.2026 10:11$/,
    ],
    [
      ...(['conflict', { cause: 'other_unit', until: NOW, device_id: null }] as const),
      /^Another unit was in the bus then/,
    ],
    [
      ...(['conflict', { cause: 'no_camera', cameras: cameras(2), total: 2 }] as const),
      /^Since then .* no camera of these streams: “Дверь 1” \(stream door1\), “Дверь 2” \(stream door2\)\. Add them, /,
    ],
    [
      ...(['conflict', { cause: 'no_camera', cameras: cameras(10), total: 12 }] as const),
      /“Дверь 10” \(stream door10\), and 2 more\. Add them, or choose a later moment$/,
    ],
    [
      ...(['conflict', { cause: 'no_camera', cameras: cameras(1), total: 1 }] as const),
      /no camera of this stream: “Дверь 1” \(stream door1\)\. Add it, or choose a later moment$/,
    ],
    ['conflict', { cause: 'too_much' }, /too many records/],
    ['invalid_request', { cause: 'future' }, 'This moment is still to come'],
    ['invalid_request', { cause: 'too_old' }, /^That is more than 7 days ago/],
    ['invalid_request', { cause: 'foreign_day' }, /belonged to others: choose a later moment$/],
  ] as ['conflict' | 'invalid_request', MoveRefusal, string | RegExp][])(
    'says so: %s because of %o',
    async (code, current, said) => {
      refuse(code, 'moved_from', current);
      const drawer = await move();
      expect(await drawer.findByText(said)).toBeVisible();
    },
  );
});

it('the buses to choose from say which unit they have, except the unit’s own', async () => {
  const sits = { ...{ id: 7, device_id: 'RW-7' }, last_seen_at: NOW };
  const buses = [
    { ...madeBus, id: 1, name: 'А 1', unit: { ...sits, id: 8, device_id: 'RW-8' } },
    { ...madeBus, id: 2, name: 'А 2', unit: sits },
    { ...madeBus, id: 3, name: 'А 3' },
  ];
  server.answer(listAdminBuses, page(buses));
  server.answer(findUnit, { ...madeUnit, bus: { id: 2, name: 'А 2' } });
  const { press, hand, field } = await openDrawer(server, 'units', '7');
  await press('Edit');
  await hand.click(await field('Bus'));
  await screen.findByRole('option', { name: /^А 1/ });
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    ...['А 1 · Иван · has unit RW-8', 'А 2 · Иван', 'А 3 · Иван'],
  ]);
});
