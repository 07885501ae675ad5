// Before a unit's move is saved, its form says which records go along, and for whom they count from then on.
import { type BusOwner, findAdminBus, listAdminBuses } from '@ridewatch/contract/admin-buses';
import { type AdminUnit, findUnit } from '@ridewatch/contract/admin-units';
import type { Named } from '@ridewatch/contract/paging';
import { screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { madeUnit } from '../../test/admin-unit.ts';
import { page } from '../../test/made.ts';
import { anna, answerFleet, ivan, madeBus, openDrawer } from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
});

const owner = (client: Named, from_day: string | null = null, to_day: string | null = null) => ({
  ...{ client, from_day, to_day },
});

/**
 * Opens the form of a unit that sits in the first bus, А 1.
 * @param owners of the buses А 1, А 2, …
 */
async function open(owners: readonly BusOwner[][], unit: Partial<AdminUnit> = {}) {
  const buses = owners.map((own, at) => ({
    ...{ ...madeBus, id: at + 1, name: `А ${at + 1}`, owners: own, settings: [] },
    clients: own.filter(({ to_day }) => to_day === null).map(({ client }) => client),
  }));
  server.answer(listAdminBuses, page(buses));
  server.answer(findAdminBus, ({ params }) => {
    const bus = buses[Number(params.busId) - 1];
    if (!bus) throw new Error('No such bus.');
    return bus;
  });
  server.answer(findUnit, { ...madeUnit, bus: { id: 1, name: 'А 1' }, ...unit });
  const opened = await openDrawer(server, 'units', '7');
  await opened.press('Edit');
  return opened;
}
const said = async (text: RegExp | string) => expect(await screen.findByText(text)).toBeVisible();

it('from a past moment to the bus of another customer: all since then, which counts for that one', async () => {
  const { choose, press, hand, write } = await open([[owner(anna)], [owner(ivan)]]);
  await choose('Bus', 'А 2 · Иван');
  await said(
    'From now on what the unit records belongs to the bus А 2. It counts for Иван, and no longer for Анна.',
  );
  await write('Time in Moscow', '10:05');
  await said(
    'What was recorded from 10:05 today on goes from the bus А 1 to the bus А 2: passengers, money, track and video. It counts for Иван, and no longer for Анна.',
  );
  await press('Moved on: 10.03.2026');
  await hand.type(await screen.findByRole('textbox', { name: 'Date in digits' }), '08.03.2026');
  await hand.keyboard('{Enter}');
  await said(/^What was recorded from 08\.03\.2026 10:05 until today, 10\.03\.2026, goes from/);
});

it('from a past moment to another bus of the same customer: no customer is named', async () => {
  const { choose, write, press } = await open([[owner(anna)], [owner(anna)]]);
  await choose('Bus', 'А 2 · Анна');
  await write('Time in Moscow', '10:05');
  await said(/goes from the bus А 1 to the bus А 2: passengers, money, track and video\.$/);
  await press('Clear');
  expect(screen.queryByText(/belongs to the bus|goes from the bus/)).toBeNull();
});

it('names the customers who own the days since the moment, also those of before the bus passed on', async () => {
  const passed = [owner(ivan, '2026-03-10'), owner(anna, null, '2026-03-09')];
  const { choose, write, press, hand } = await open([[owner(anna)], passed]);
  await choose('Bus', 'А 2 · Иван');
  await write('Time in Moscow', '10:05');
  await said(/It counts for Иван, and no longer for Анна\.$/);
  await press('Moved on: 10.03.2026');
  await hand.type(await screen.findByRole('textbox', { name: 'Date in digits' }), '09.03.2026');
  await hand.keyboard('{Enter}');
  await said(/It counts for Анна, Иван\.$/);
});

it('of a spare unit: what it recorded since then comes to the bus', async () => {
  const { choose, write } = await open([[owner(anna)]], { bus: null });
  await choose('Bus', 'А 1 · Анна');
  await write('Time in Moscow', '10:05');
  await said(
    'What was recorded from 10:05 today on goes to the bus А 1: passengers, money and track. It counts for Анна.',
  );
});

it('out of its bus: what it recorded since then counts for nobody', async () => {
  const { hand, field, write } = await open([[owner(anna)]]);
  await hand.clear(await field('Bus'));
  await write('Time in Moscow', '10:05');
  await said(
    'What was recorded from 10:05 today on leaves the bus А 1, and counts for nobody: passengers, money, track and video.',
  );
});

it('of a unit that has been in no bus: all from its first record on, unless a moment is named', async () => {
  const adopted = { protocol: 'egts', protocol_id: '4021', last_seen_at: null } as const;
  const spare = { bus: null, assigned_from: null, ...adopted };
  const { choose, write } = await open([[owner(anna)]], spare);
  await choose('Bus', 'А 1 · Анна');
  await said(/^Empty: from its first record on, the bus gets all that it has sent/);
  await said(
    'The bus А 1 gets everything from the first record of the unit on: passengers, money and track. It counts for Анна.',
  );
  await write('Time in Moscow', '10:05');
  await said(/^What was recorded from 10:05 today on goes to the bus А 1/);
});
