// An administrator sees the product as another user: all that the user sees, and nothing to change it with.
import { findUnitAside } from '@ridewatch/contract/admin-aside';
import { findAdminBus, listAdminBuses } from '@ridewatch/contract/admin-buses';
import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import { findAttentionSettings } from '@ridewatch/contract/attention';
import type { Me } from '@ridewatch/contract/auth';
import { findBusInfo, findBusStatus, listBuses } from '@ridewatch/contract/buses';
import { findCalculationParts } from '@ridewatch/contract/calculation';
import { listCalculationChanges } from '@ridewatch/contract/calculation-history';
import { findArrivals } from '@ridewatch/contract/first-steps';
import { listDayFragments, listPeriods } from '@ridewatch/contract/fragments';
import { listDayLaps } from '@ridewatch/contract/laps';
import { startLive } from '@ridewatch/contract/live';
import { listActiveMessages } from '@ridewatch/contract/news';
import { findRoute, listRouteStops } from '@ridewatch/contract/routes';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { answerUnit, madeAside } from '../test/admin-unit.ts';
import {
  bus,
  busInfo,
  busList,
  busStatus,
  camera,
  dayFragments,
  faraway,
  fragment,
  owner,
  page,
  routeStop,
  routeWithTrack,
  serviceCamera,
} from '../test/made.ts';
import { anna, answerFleet, madeBus } from '../test/made-admin.ts';
import { calculation, calculationParts } from '../test/made-calculation.ts';
import { freshServer, openScreen } from '../test/open.tsx';
import type { FakeServer } from '../test/server.ts';

const SAID = 'You view as another user: nothing can be changed';
let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(listBuses, busList([bus(7)]));
  server.answer(findBusInfo, busInfo({ gps_trackable: true, group: routeWithTrack() }));
  server.answer(listDayFragments, dayFragments([fragment(1, '08:00'), faraway(2, '08:30')]));
  server.answer(listPeriods, page([fragment(1, '08:00')]));
  const noLaps = { ...page([]), timezone: 'Europe/Moscow', pending: false, failure: null };
  server.answer(listDayLaps, noLaps);
});

const open = (address: string, more: Partial<Me> = {}) =>
  openScreen(server, address, { user: { ...owner, viewed_by: 'admin', ...more } });
const expectLocked = (button: HTMLElement) => {
  expect(button).toBeDisabled();
  expect(button).toHaveAttribute('title', SAID);
};
const button = (name: string) => screen.findByRole('button', { name });

describe('in a view as another user', () => {
  it('no video is fetched, kept or merged', async () => {
    const { hand } = await open('/bus/7?fragment=2');
    expectLocked(await button('Fetch the video'));
    await hand.click(await button('Merge video'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Merge video' }));
    expectLocked(await dialog.findByRole('button', { name: 'Merge' }));
    await open('/bus/7?fragment=1');
    expectLocked(await button('Keep the video whatever its age'));
  });

  it('counts are read, and not typed or confirmed by a key', async () => {
    await open('/bus/7?fragment=1');
    for (const field of await screen.findAllByRole('textbox', { name: 'Adults entered, by hand' }))
      expect(field).toBeDisabled();
    expect(screen.queryByText('reviewed, next')).not.toBeInTheDocument();
  });

  it('the values of the calculator stay', async () => {
    const stored = calculation();
    server.answer(findBusInfo, busInfo({ bus_calculation: true, group: routeWithTrack() }));
    server.answer(listDayFragments, dayFragments([fragment(1, '08:00')], { calculation: stored }));
    server.answer(findCalculationParts, calculationParts({ calculation: stored }));
    server.answer(listCalculationChanges, { ...page([]), created: null });
    await open('/bus/7?money=laps');
    const dialog = within(await screen.findByRole('dialog', { name: "The day's calculation" }));
    expect(dialog.getByRole('textbox', { name: 'Fare' })).toBeDisabled();
    expect(dialog.getByRole('button', { name: 'Choose the times of the shift' })).toBeDisabled();
    expectLocked(dialog.getByRole('button', { name: 'Set for the whole route…' }));
    expectLocked(dialog.getByRole('button', { name: 'Recalculate' }));
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Export' })).toBeEnabled());
  });

  it('the route is read as by who may not edit it', async () => {
    server.answer(findRoute, routeWithTrack());
    server.answer(listRouteStops, { ...page([routeStop(0, 'Вокзал')]), near_stops: [] });
    await open('/bus/7/route');
    await screen.findByRole('heading', { name: /Маршрут 5/, level: 2 });
    expect(screen.queryByRole('link', { name: 'Actions' })).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Add a stop' })).not.toBeInTheDocument();
  });

  it('no live video is started, and nothing is asked of a registrar', async () => {
    const cameras = [camera(1), serviceCamera(9, { liveurl: '/api/live/9' })];
    server.answer(findBusInfo, busInfo({ cameras }));
    server.answer(findBusStatus, busStatus({ cameras: [] }));
    await open('/bus/7/service?part=live');
    const panel = await screen.findByRole('complementary', { name: 'Live: Салон 9' });
    expect(panel).toHaveTextContent(SAID);
    expect(server.asked(startLive)).toHaveLength(0);
    await open('/bus/7/service');
    expectLocked(await button('From this camera'));
  });

  it('banners stay where they are', async () => {
    const banner = { id: 9, title: 'Works', text: 'At night.', mediaId: null, notice: null };
    server.answer(listActiveMessages, page([banner]));
    await open('/buses');
    expectLocked(await button('Close the banner “Works”'));
  });

  it('alerts say why they cannot be set', async () => {
    const calm = { waiting: 0, sent: 0, failed: 0, last_error: null };
    server.answer(findAttentionSettings, {
      ...{ client_id: 20, silent_minutes: 10, camera_minutes: 60, imbalance_percent: 10 },
      ...{ sent_kinds: [], quiet_hours: null, timezone: 'Europe/Moscow', webhook_url: null },
      ...{ has_webhook: false, mail_to: [], language: 'ru_RU', mail_available: true },
      ...{ webhook: calm, mail: calm },
    });
    await open('/alerts');
    expect(await screen.findByText(SAID)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
  });

  it('an integrator adds and changes nothing in the administration', async () => {
    answerFleet(server);
    server.answer(findAdminOverview, {
      ...{
        sections: [{ section: 'buses', count: 1 }],
        clients: [anna],
        video_off: null,
        closed_ports: [],
      },
    });
    await open('/admin/buses/12', { role: 'INTEGRATOR', integrator_clients: [21] });
    expectLocked(await button('Add a bus'));
    const drawer = within(await screen.findByRole('complementary', { name: /472/ }));
    expectLocked(drawer.getByRole('button', { name: 'Edit' }));
    expectLocked(drawer.getByRole('button', { name: 'Take out of the fleet' }));
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
  });

  it('an integrator gives a unit no credential, tests none and places no records', async () => {
    answerUnit(server);
    server.answer(findUnitAside, { total: 5, items: [madeAside] });
    server.answer(findArrivals, {
      ...{ last_seen_at: null, position: null, counted_at: null },
      ...{ refused_at: null, unknown_refused_at: null, clock_offset_ms: null },
    });
    const integrator: Partial<Me> = { role: 'INTEGRATOR', integrator_clients: [21] };
    const { hand } = await open('/admin/units/7', integrator);
    expectLocked(await button('Replace the credential'));
    expectLocked(await button('Start the test'));
    expectLocked(await button('Listen for 15 minutes'));
    await hand.click(await screen.findByText(/4 entered, 1 exited/));
    await hand.click(await button('Right before the next'));
    expectLocked(await button('Count them'));
    await open('/connect?unit=7', integrator);
    expectLocked(await button('Issue a credential and show the commands'));
  });

  it('an integrator leaves a bus out of the fleet', async () => {
    answerFleet(server);
    const retired = { ...madeBus, retired_at: '2026-03-01T00:00:00Z' };
    server.answer(listAdminBuses, page([retired]));
    server.answer(findAdminBus, { ...retired, settings: [], owners: [] });
    server.answer(findAdminOverview, {
      ...{ sections: [{ section: 'buses', count: 1 }], clients: [anna] },
      ...{ video_off: null, closed_ports: [] },
    });
    await open('/admin/buses/12', { role: 'INTEGRATOR', integrator_clients: [21] });
    expectLocked(await button('Return to the fleet'));
  });
});
