// Nobody knows the states of the cameras of a bus whose unit is silent, and no screen says otherwise.

import { findUnitAside } from '@ridewatch/contract/admin-aside';
import { type AdminBus, findAdminBus, listAdminBuses } from '@ridewatch/contract/admin-buses';
import { findCamera, listCameras } from '@ridewatch/contract/admin-cameras';
import { findUnitFeed } from '@ridewatch/contract/admin-feed';
import { findUnitPorts } from '@ridewatch/contract/admin-unit-ports';
import { findUnit } from '@ridewatch/contract/admin-units';
import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { madePorts, madeUnit } from '../../test/admin-unit.ts';
import { NOW } from '../../test/browser.ts';
import { page } from '../../test/made.ts';
import {
  answerFleet,
  madeBus,
  madeCamera,
  openDrawer,
  openSection,
} from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
});

const unit = { id: 7, device_id: 'RW-1', last_seen_at: NOW };
const cameras: AdminBus['cameras'] = [
  { id: 5, name: 'Перёд', enabled: true, status: 'online' },
  { id: 6, name: 'Зад', enabled: false, status: null },
];

describe('the cameras of a bus', () => {
  it.each([
    ['moves', 'moving', unit, 'online'],
    ['is off', 'off', unit, 'unknown: the unit sends nothing'],
    ['is silent', 'silent', unit, 'unknown: the unit sends nothing'],
    ['has no unit', null, null, 'unknown: there is no unit'],
  ] as const)('that %s', async (_, state, itsUnit, said) => {
    const bus = { ...madeBus, state, unit: itsUnit, cameras };
    server.answer(listAdminBuses, page([bus]));
    server.answer(findAdminBus, { ...bus, settings: [], owners: [] });
    const { drawer } = await openDrawer(server, 'buses', '12');
    const line = (name: string) => drawer.getByRole('link', { name }).closest('p');
    await drawer.findByRole('link', { name: 'Перёд' });
    expect(line('Перёд')).toHaveTextContent(`Перёд${said}`);
    expect(line('Зад')).toHaveTextContent('Задnot in use');
  });

  it.each([
    ['moving', 'online', 'online'],
    ['off', 'unknown: the unit sends nothing', 'unknown'],
  ] as const)(
    'have dots that say so in the list of a bus that is %s',
    async (state, said, look) => {
      server.answer(listAdminBuses, page([{ ...madeBus, state, unit, cameras }]));
      await openSection(server, 'buses');
      const dot = await screen.findByRole('img', { name: `Перёд: ${said}` });
      expect(dot).toHaveAttribute('data-status', look);
    },
  );
});

describe('a camera of a bus with a registrar of JT/T 808', () => {
  const registrar = { ...madeUnit, protocol: 'jt808' as const, protocol_id: '13912345678' };
  const withRegistrar = () => {
    server.answer(findAdminBus, { ...madeBus, unit, settings: [], owners: [] });
    server.answer(findUnit, registrar);
  };

  it('whose stream names no channel is not only online: nothing can be asked of it', async () => {
    const camera = { ...madeCamera, unit_protocol: 'jt808', channel: null } as const;
    server.answer(listCameras, page([camera]));
    server.answer(findCamera, camera);
    const { drawer } = await openDrawer(server, 'cameras', '5');
    const said = 'online, the stream names no channel';
    expect(await drawer.findByText(new RegExp(said))).toBeVisible();
    await openSection(server, 'cameras');
    expect(await screen.findByRole('cell', { name: said })).toBeVisible();
  });

  it('is told in its form what the stream must be', async () => {
    server.answer(findCamera, { ...madeCamera, unit_protocol: 'jt808' });
    const { drawer, press } = await openDrawer(server, 'cameras', '5');
    await press('Edit');
    const said = await drawer.findByText(/registrar's channel in the stream: 1, ch1, cam2/);
    expect(said).toBeVisible();
    expect(said).toHaveAttribute('role', 'status');
    // The camera says which protocol that is.
    expect(server.asked(findUnit)).toEqual([]);
    expect(drawer.queryByText(/counter only/)).toBeNull();
  });

  it('has no video in a bus with a counter only, as its form says', async () => {
    const type = 'COUNTER' as const;
    server.answer(findAdminBus, { ...madeBus, type, unit, settings: [], owners: [] });
    server.answer(findCamera, { ...madeCamera, unit_protocol: 'jt808' });
    const { drawer, press } = await openDrawer(server, 'cameras', '5');
    await press('Edit');
    const said = 'The bus is “counter only”: it has neither live video nor recordings.';
    expect(await drawer.findByText(new RegExp(said))).toBeVisible();
  });

  it('is named in the form of the registrar that moves there', async () => {
    withRegistrar();
    server.answer(findUnit, { ...registrar, bus: { id: 12, name: 'А 472 КМ' } });
    server.answer(findUnitFeed, { listening_until: null, items: [] });
    server.answer(findUnitAside, { total: 0, items: [] });
    server.answer(findUnitPorts, madePorts);
    const named = { ...madeCamera, id: 6, name: 'Зад', stream_id: 'ch2', channel: 2 };
    // A page has ten unless a larger one is asked for.
    server.answer(listCameras, ({ query }) =>
      page(Number(query.get('perPage')) > 10 ? [named, madeCamera] : [named]),
    );
    const { drawer, press } = await openDrawer(server, 'units', '7');
    await press('Edit');
    expect(await drawer.findByText(/^Перёд \(door1\): the stream names no channel/)).toBeVisible();
  });
});

describe('a camera', () => {
  it.each([
    [false, 'online', 'online, 10.03.2026 15:00'],
    [true, 'unknown', 'unknown: the unit sends nothing'],
    [null, 'unknown', 'unknown: there is no unit'],
  ])('of a unit that is silent: %s', async (unit_silent, listed, told) => {
    const camera = { ...madeCamera, unit_silent };
    server.answer(listCameras, page([camera]));
    server.answer(findCamera, camera);
    const { drawer } = await openDrawer(server, 'cameras', '5');
    expect(await drawer.findByText(told)).toBeVisible();
    await openSection(server, 'cameras');
    expect(await screen.findByRole('cell', { name: listed })).toBeVisible();
  });
});
