// A bus of which only the number of all places is known does not claim that it has no seats.
import { findAdminBus, listAdminBuses, updateBus } from '@ridewatch/contract/admin-buses';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { page } from '../../test/made.ts';
import { answerFleet, madeBus, openDrawer, openSection } from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
});

function answerPlaces(capacity_seated: number | null, capacity_standing: number | null) {
  const bus = { ...madeBus, capacity_seated, capacity_standing };
  server.answer(listAdminBuses, page([bus]));
  server.answer(findAdminBus, { ...bus, settings: [], owners: [] });
}
const factsOf = async () => {
  await screen.findByText('Show on the map');
  return [...document.querySelectorAll('aside dl > div')]
    .map((fact) => fact.textContent)
    .filter((fact) => /^(Places|Seats|Standing)/.test(fact ?? ''));
};

describe('the places of a bus', () => {
  it.each([
    [null, 100, ['Places100, how many are seats is not known']],
    [0, 100, ['Seats0', 'Standing places100']],
    [28, 72, ['Seats28', 'Standing places72']],
    [28, null, ['Seats28', 'Standing places—']],
    [null, null, ['Seats—', 'Standing places—']],
  ])('%j seated and %j standing are told so in its drawer', async (seated, standing, facts) => {
    answerPlaces(seated, standing);
    await openDrawer(server, 'buses', '12');
    expect(await factsOf()).toEqual(facts);
  });

  it('are a sum in the list', async () => {
    answerPlaces(null, 100);
    await openSection(server, 'buses');
    expect(await screen.findByRole('cell', { name: '100' })).toBeVisible();
  });

  it('that are undivided are named so in the form, and are divided there', async () => {
    answerPlaces(null, 100);
    server.answer(updateBus, madeBus);
    const { press, write, field } = await openDrawer(server, 'buses', '12');
    await press('Edit');
    expect(await field('Standing places')).toHaveAccessibleDescription(
      'Without a number of seats these are all places of the bus.',
    );
    await write('Seats', '28');
    await write('Standing places', '72');
    await press('Save');
    await waitFor(() =>
      expect(server.asked(updateBus)[0]?.body).toMatchObject({
        ...{ capacity_seated: 28, capacity_standing: 72 },
        seen: { capacity_seated: null, capacity_standing: 100 },
      }),
    );
  });
});
