// In a new installation each created row leads on to the next of the first steps.
import { createBus, findAdminBus, listAdminBuses } from '@ridewatch/contract/admin-buses';
import { createCustomer, findCustomer, listCustomers } from '@ridewatch/contract/admin-customers';
import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import { createUnit } from '@ridewatch/contract/admin-units';
import { type FirstSteps, findFirstSteps } from '@ridewatch/contract/first-steps';
import { findRetention } from '@ridewatch/contract/retention';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { madeUnit } from '../../test/admin-unit.ts';
import { page } from '../../test/made.ts';
import { anna, answerFleet, madeBus, madeCustomer, openDrawer } from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

const nothing: FirstSteps = {
  ...{ customer: null, bus: null, unit: null, unfinished_unit: null, camera: null },
  ...{ has_position: false, has_count: false, closed_ports: [], off_protocols: [] },
};
const named = { id: 7, name: 'RW-1' };

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
  server.answer(listAdminBuses, page([]));
  server.answer(listCustomers, page([]));
  server.answer(findCustomer, madeCustomer);
  server.answer(findRetention, {
    ...{ client_id: 1, video_days: null, files_days: null, positions_days: null },
    defaults: { video_days: 90, files_days: 7, positions_days: 400 },
  });
  server.answer(createCustomer, madeCustomer);
});

const nextStep = async () => within(await screen.findByRole('region', { name: 'Next step' }));
async function createFirst(steps: FirstSteps) {
  server.answer(findFirstSteps, steps);
  const opened = await openDrawer(server, 'customers', 'new');
  const sections = (['customers', 'buses'] as const).map((section) => ({ section, count: 0 }));
  server.answer(findAdminOverview, {
    sections,
    clients: [anna],
    video_off: null,
    closed_ports: [],
  });
  await opened.write('Name', 'Анна');
  await opened.press('Create');
  return opened;
}

describe('a row that was just created', () => {
  it('leads from the customer to the bus', async () => {
    const { hand, address } = await createFirst({ ...nothing, customer: named });
    const next = await nextStep();
    expect(next.getByText(/Next step: Bus/)).toBeVisible();
    await hand.click(next.getByRole('link', { name: 'Create: Bus' }));
    await waitFor(() => expect(address()).toMatch(/\/admin\/buses\/new$/));
  });

  it('leads from the bus to the unit', async () => {
    server.answer(createBus, madeBus);
    server.answer(findAdminBus, { ...madeBus, settings: [], owners: [] });
    server.answer(findFirstSteps, { ...nothing, customer: named, bus: named });
    const { write, choose, press } = await openDrawer(server, 'buses', 'new');
    await write('Name', 'А 472 КМ');
    await choose('Customers', 'Анна');
    await press('Create');
    const next = await nextStep();
    expect(next.getByRole('link', { name: /^Create: Unit/ })).toHaveAttribute(
      'href',
      '/admin/units/new',
    );
  });

  it('leads from the unit to the camera, and at once to the first position', async () => {
    server.answer(createUnit, { unit: madeUnit, credential: 'rwu_secret' });
    const steps = { ...nothing, customer: named, bus: named, unit: named };
    server.answer(findFirstSteps, steps);
    const { write, press } = await openDrawer(server, 'units', 'new');
    await write('Device id', 'RW-1');
    await press('Create');
    const next = await nextStep();
    expect(next.getByRole('link', { name: 'Create: Camera' })).toBeVisible();
    expect(next.getByRole('link', { name: 'Connect: First position on the map' })).toHaveAttribute(
      'href',
      '/connect?unit=7',
    );
  });

  it('leads nowhere once all steps are done, nor does a row that was there', async () => {
    const done = { ...nothing, customer: named, bus: named, unit: named, camera: named };
    await createFirst({ ...done, has_position: true, has_count: true });
    await waitFor(() => expect(server.asked(findFirstSteps)).toHaveLength(1));
    expect(screen.queryByRole('region', { name: 'Next step' })).not.toBeInTheDocument();
    expect(await screen.findByRole('button', { name: 'Edit' })).toBeVisible();
    await openDrawer(server, 'buses', '12');
    expect(server.asked(findFirstSteps)).toHaveLength(1);
  });
});
