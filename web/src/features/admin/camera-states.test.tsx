// Nobody knows the states of the cameras of a bus whose unit is silent, and no screen says otherwise.
import { type AdminBus, findAdminBus, listAdminBuses } from '@ridewatch/contract/admin-buses';
import { findCamera, listCameras } from '@ridewatch/contract/admin-cameras';
import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
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
