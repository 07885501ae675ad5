// Forms of the administration whose values the server refuses.
import { findAdminBus, listAdminBuses, setBusSettings } from '@ridewatch/contract/admin-buses';
import {
  type AdminNews,
  findAdminNews,
  listAdminNews,
  listNewsReaders,
  updateNews,
} from '@ridewatch/contract/admin-news';
import { findUnit, updateUnit } from '@ridewatch/contract/admin-units';
import { createApiKey, listApiKeys } from '@ridewatch/contract/api-keys';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { madeUnit } from '../../test/admin-unit.ts';
import { NOW } from '../../test/browser.ts';
import { page } from '../../test/made.ts';
import { anna, answerFleet, ivan, madeBus, openDrawer } from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import { type FakeServer, refusal } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
});

describe('what another administrator has changed meanwhile', () => {
  it('is told by the name of a bus', async () => {
    const { press, choose, drawer } = await openDrawer(server, 'units', '7');
    await press('Edit');
    await choose('Bus', `${madeBus.name} · ${ivan.name}`);
    server.answer(updateUnit, () => {
      const bus = { id: 15, name: 'В 015 ЕР' };
      server.answer(findUnit, { ...madeUnit, bus, client: anna });
      return refusal('conflict', { field: 'seen.bus_id' });
    });
    await press('Save');
    expect(await drawer.findByText(/it is now: В 015 ЕР\./)).toBeVisible();
  });

  it('is told by a day as the screens write it', async () => {
    const item: AdminNews = {
      ...{ id: 2, type: 'NEWS', title: 'Ремонт', text: 'Ночью.', active: true, readers: 0 },
      ...{ date_from: '2026-03-01', media: null, created_at: NOW },
    };
    server.answer(listAdminNews, page([item]));
    server.answer(findAdminNews, item);
    server.answer(listNewsReaders, page([]));
    const { press, write, drawer } = await openDrawer(server, 'news', '2');
    await press('Edit');
    await write('Title', 'Ремонт окончен');
    server.answer(updateNews, () => {
      server.answer(findAdminNews, { ...item, date_from: '2026-03-12' });
      return refusal('conflict', { field: 'seen.date_from' });
    });
    await press('Save');
    expect(await drawer.findByText(/it is now: 12\.03\.2026\./)).toBeVisible();
  });
});

describe('a refused value', () => {
  it('of a day on which the bus belonged to another customer says so', async () => {
    server.answer(listAdminBuses, page([madeBus]));
    server.answer(findAdminBus, { ...madeBus, settings: [], owners: [] });
    server.answer(setBusSettings, refusal('invalid_request', { field: 'valid_from' }));
    const { press, write, drawer, hand } = await openDrawer(server, 'buses', '12');
    const change = await drawer.findByRole('button', { name: 'Change from a day on' });
    await waitFor(() => expect(change).toBeEnabled());
    await hand.click(change);
    await press('5 March 2026');
    await write('Time zone', 'Asia/Omsk');
    await press('Save');
    expect(await drawer.findByText('On this day the bus belonged to others')).toBeVisible();
    expect(screen.queryByText(/^400/)).not.toBeInTheDocument();
  });

  it('of a customer that has all the keys it may have says so', async () => {
    server.answer(listApiKeys, page([]));
    server.answer(createApiKey, refusal('conflict', { field: 'client_id' }));
    const { hand, press, write, choose, field, drawer } = await openDrawer(server, 'keys', 'new');
    await choose('Customer', 'Анна');
    await write('Name', 'Табло');
    await hand.click(await field('Buses and routes'));
    await press('Create');
    expect(await drawer.findByText(/has 50 keys, which is the most/)).toBeVisible();
  });

  it('of a field that the form does not show is told in a toast', async () => {
    server.answer(updateUnit, refusal('invalid_request', { field: 'moved_from' }));
    const { press, field, hand } = await openDrawer(server, 'units', '7');
    await press('Edit');
    await hand.click(await field('Enabled'));
    await press('Save');
    expect(await screen.findByText(/^400: It was refused/)).toBeVisible();
  });
});
