// A bus that passes to another customer: what the form says before it is saved, and whose days are whose afterwards.
import {
  type AdminBus,
  type BusOwner,
  findAdminBus,
  listAdminBuses,
} from '@ridewatch/contract/admin-buses';
import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import { changeBuses } from '@ridewatch/contract/admin-several';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '../../test/browser.ts';
import { admin, page } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

const [anna, ivan] = [
  { id: 1, name: 'Анна' },
  { id: 2, name: 'Иван' },
];
const bus: AdminBus = {
  ...{ id: 12, name: 'А 472 КМ', description: null, type: 'VMS', clients: [anna] },
  passes: null,
  ...{ group: null, timezone: 'Pacific/Auckland', count_source: 'unit', valid_from: null },
  ...{ capacity_seated: null, capacity_standing: null, gps_trackable: true },
  ...{ count_passengers_inside: true, bus_calculation: true, config: '{}', unit: null },
  ...{ state: null, cameras: [], retired_at: null, created_at: NOW },
};
const always: BusOwner = { client: anna, from_day: null, to_day: null };
let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(findAdminOverview, {
    sections: [{ section: 'buses', count: 1 }],
    clients: [anna, ivan],
    video_off: null,
    closed_ports: [],
  });
  server.answer(listAdminBuses, page([bus]));
});
const open = (owners: readonly BusOwner[], language: 'en_US' | 'ru_RU' = 'en_US') => {
  server.answer(findAdminBus, { ...bus, settings: [], owners: [...owners] });
  return openScreen(server, '/admin/buses/12', { user: admin, language });
};

describe('a bus that gets other customers', () => {
  /** The server's answer to the change that is tried. */
  const previewed = (owners: BusOwner[], more: { from: string | null; ends: boolean }) => ({
    ...{ changed: 1, changed_ids: [bus.id], refused: [] },
    former_clients: [
      {
        ...{ id: bus.id, clients: [anna], from: more.from, owners },
        ...{ route_ends: more.ends, fare_ends: more.ends && more.from !== null },
      },
    ],
  });
  const editCustomers = async () => {
    const { hand } = await open([always]);
    const drawer = within(await screen.findByRole('complementary', { name: 'А 472 КМ' }));
    await hand.click(await drawer.findByRole('button', { name: 'Edit' }));
    const add = async (name: string) => {
      await hand.type(await drawer.findByRole('combobox', { name: 'Customers' }), name.slice(0, 2));
      await hand.click(await screen.findByRole('option', { name }));
    };
    const remove = (name: string) =>
      hand.click(drawer.getByRole('button', { name: `Remove ${name}` }));
    return { drawer, add, remove };
  };

  it('says before it is saved whose the days are then, as the server tells', async () => {
    server.answer(changeBuses, ({ body: { ids, preview, change } }) => {
      expect([ids, preview]).toEqual([[bus.id], true]);
      const isShared = 'client_ids' in change && change.client_ids.includes(anna.id);
      const left = { client: anna, from_day: null, to_day: isShared ? null : '2026-03-18' };
      const owners = [{ client: ivan, from_day: '2026-03-19', to_day: null }, left];
      return previewed(owners, { from: '2026-03-19', ends: !isShared });
    });
    const { drawer, add, remove } = await editCustomers();
    await add('Иван');
    expect(await drawer.findByText('Иван: the days from 19.03.2026 on.')).toBeVisible();
    expect(drawer.queryByText(/fare|Routes of the former/)).not.toBeInTheDocument();
    await remove('Анна');
    const left = await drawer.findByText(/^Анна: the days up to and including 18\.03\.2026/);
    expect(left).toBeVisible();
    expect(drawer.getByText(/set a new one from 19\.03\.2026 on/)).toBeVisible();
    expect(drawer.getByText(/the fare and the driver's percent are zero/)).toBeVisible();
  });

  it('says of a bus without data that all of its days pass on', async () => {
    const owners = [{ client: ivan, from_day: null, to_day: null }];
    server.answer(changeBuses, previewed(owners, { from: null, ends: true }));
    const { drawer, add, remove } = await editCustomers();
    await add('Иван');
    await remove('Анна');
    expect(await drawer.findByText(/^Анна: no day;/)).toBeVisible();
    expect(drawer.getByText('Иван: all days of the bus.')).toBeVisible();
    expect(drawer.getByText('Routes of the former customers end: set a new one.')).toBeVisible();
  });

  it('says that it could not ask whose the days are then', async () => {
    server.refuse(changeBuses, 'internal');
    const { drawer, add } = await editCustomers();
    await add('Иван');
    expect(await drawer.findByRole('alert')).toHaveTextContent(/Whose bus on which days/);
  });

  it('is listed under the customer of the day, with the first day of the next one', async () => {
    const passes = { from: '2026-03-12', until_then: [ivan] };
    server.answer(listAdminBuses, page([{ ...bus, passes }]));
    const { hand } = await openScreen(server, '/admin/buses', { user: admin });
    const row = await screen.findByRole('row', { name: /А 472 КМ/ });
    const said = 'Иван, from 12.03.2026 Анна';
    expect(within(row).getByTitle(said)).toHaveTextContent(said);
    server.answer(findAdminBus, { ...bus, passes, settings: [], owners: [] });
    await hand.click(within(row).getByRole('link'));
    const drawer = within(await screen.findByRole('complementary'));
    expect(await drawer.findByText(said)).toBeVisible();
  });

  it('says afterwards which days are whose', async () => {
    await open(
      [
        { client: anna, from_day: '2026-03-08', to_day: null },
        { client: ivan, from_day: '2026-02-01', to_day: '2026-03-07' },
        { client: anna, from_day: null, to_day: '2026-01-31' },
      ],
      'ru_RU',
    );
    const title = await screen.findByRole('heading', { name: 'Чей автобус по дням' });
    expect(title.closest('section')).toHaveTextContent(
      'Аннас 08.03.2026Иван01.02.2026 – 07.03.2026Аннапо 31.01.2026',
    );
  });

  it('says nothing of days while the bus has always had the same customers', async () => {
    await open([always]);
    await screen.findByRole('complementary', { name: 'А 472 КМ' });
    expect(screen.queryByRole('heading', { name: /Whose bus/ })).not.toBeInTheDocument();
  });
});
