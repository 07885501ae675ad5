// An administration that stays open: the drawer, the counts and the closed ports are read as often as the list.
import { findUnitAside } from '@ridewatch/contract/admin-aside';
import { findUnitFeed } from '@ridewatch/contract/admin-feed';
import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import { findUnit, listUnits } from '@ridewatch/contract/admin-units';
import { findUnknownUnit, listUnknownUnits } from '@ridewatch/contract/admin-unknown-units';
import {
  findUpstream,
  listUpstreamBuses,
  listUpstreams,
} from '@ridewatch/contract/admin-upstreams';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { madeAside, madeUnit, madeUnknown } from '../../test/admin-unit.ts';
import { NOW } from '../../test/browser.ts';
import { admin, page } from '../../test/made.ts';
import { answerFleet, openDrawer, openSection } from '../../test/made-admin.ts';
import { upstream, upstreamBus } from '../../test/made-upstream.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';
import { currentToasts } from '../../ui/toast-store.ts';

/** The interval of the list. */
const pass = () => act(() => vi.advanceTimersByTimeAsync(30_000));

const toFake = ['Date', 'setInterval', 'clearInterval'] as const;

let server: FakeServer;
beforeEach(() => {
  vi.useFakeTimers({ toFake: [...toFake], now: new Date(NOW), shouldAdvanceTime: true });
  server = freshServer();
  answerFleet(server);
});
afterEach(() => {
  // The page ends the timers that it began.
  cleanup();
  vi.useRealTimers();
});

describe('an open drawer', () => {
  it('of a unit says when it was heard', async () => {
    const silent = { ...madeUnit, last_seen_at: null };
    server.answer(listUnits, page([silent]));
    server.answer(findUnit, silent);
    const { drawer } = await openDrawer(server, 'units', '7');
    expect(await drawer.findByText('never')).toBeVisible();
    server.answer(findUnit, madeUnit);
    await pass();
    await waitFor(() => expect(drawer.queryByText('never')).not.toBeInTheDocument());
  });

  it('of a unit says which records are without a time, and leaves a time alone that is being typed', async () => {
    server.answer(findUnit, madeUnit);
    server.answer(findUnitAside, { total: 7, items: [madeAside] });
    const { drawer, hand } = await openDrawer(server, 'units', '7');
    expect(await drawer.findByText(/the time of 7 records/)).toBeVisible();
    server.answer(findUnitAside, { total: 9, items: [madeAside] });
    await pass();
    expect(await drawer.findByText(/the time of 9 records/)).toBeVisible();
    await hand.click(drawer.getByText(/4 entered, 1 exited/));
    const time = drawer.getByLabelText('Time in Moscow');
    await hand.type(time, '8:05');
    server.answer(findUnitAside, { total: 0, items: [] });
    const reads = server.asked(findUnitAside).length;
    await pass();
    expect(server.asked(findUnitAside)).toHaveLength(reads);
    expect(time).toHaveFocus();
    act(() => time.blur());
    await pass();
    await waitFor(() => expect(drawer.queryByText(/without a time/)).not.toBeInTheDocument());
  });

  it('of a unit is read again at once when its feed brings messages, and not with each of them', async () => {
    // The interval of the list never passes.
    vi.useFakeTimers({ toFake: [...toFake], now: new Date(NOW) });
    const silent = { ...madeUnit, last_seen_at: null };
    server.answer(listUnits, page([silent]));
    server.answer(findUnit, silent);
    const message = {
      ...{ id: 1, received_at: NOW, status: 200, fate: null, bytes: 2, body: '{}', answer: '{}' },
    };
    let heard = 0;
    server.answer(findUnitFeed, () => ({
      listening_until: '2026-03-10T12:15:00.000Z',
      items: Array.from({ length: heard }, (_, at) => ({ ...message, id: heard - at })),
    }));
    const { drawer } = await openDrawer(server, 'units', '7');
    expect(await drawer.findByText('never')).toBeVisible();
    expect(await drawer.findByText('No batch yet.')).toBeVisible();
    const reads = () => [findUnit, findUnitAside].map((one) => server.asked(one).length);
    const [rows = 0, asides = 0] = reads();
    server.answer(findUnit, madeUnit);
    server.answer(findUnitAside, { total: 7, items: [madeAside] });
    for (heard = 1; heard <= 3; heard++) {
      await act(() => vi.advanceTimersByTimeAsync(3000));
      expect((await drawer.findAllByText(/accepted · 2 bytes/)).length).toBeGreaterThan(0);
    }
    expect(await drawer.findByText(/the time of 7 records/)).toBeVisible();
    expect(drawer.queryByText('never')).not.toBeInTheDocument();
    expect(reads()).toEqual([rows + 1, asides + 1]);
  });

  it('of an upstream says what still waits, and leaves a typed number and the focus alone', async () => {
    const waits = { ...upstream, waiting: 266, waiting_since: NOW };
    server.answer(listUpstreams, page([waits]));
    server.answer(findUpstream, waits);
    server.answer(listUpstreamBuses, page([upstreamBus]));
    const { drawer, hand } = await openDrawer(server, 'upstreams', '4');
    expect(await drawer.findByText(/266 records/)).toBeVisible();
    const number = await drawer.findByLabelText(/А 472 КМ/);
    await hand.clear(number);
    await hand.type(number, '4711');
    server.answer(findUpstream, { ...waits, waiting: 7 });
    await pass();
    expect(await drawer.findByText(/^7 records/)).toBeVisible();
    expect(number).toHaveValue('4711');
    expect(number).toHaveFocus();
  });

  it('of an unknown unit says how many records came', async () => {
    server.answer(listUnknownUnits, page([madeUnknown]));
    server.answer(findUnknownUnit, madeUnknown);
    const { drawer } = await openDrawer(server, 'unknown_units', '3');
    expect(await drawer.findByText('12')).toBeVisible();
    server.answer(findUnknownUnit, { ...madeUnknown, records: 13 });
    await pass();
    expect(await drawer.findByText('13')).toBeVisible();
  });

  it('leaves a form alone that is being edited', async () => {
    server.answer(findUnit, madeUnit);
    const { hand, press, field } = await openDrawer(server, 'units', '7');
    await press('Edit');
    const id = await field('Device id');
    await hand.type(id, '-B');
    server.answer(findUnit, { ...madeUnit, device_id: 'RW-8' });
    await pass();
    await waitFor(() => expect(server.asked(findUnit)).toHaveLength(2));
    expect(id).toHaveValue('RW-7-B');
    expect(id).toHaveFocus();
  });

  it('of a row that is gone is not read on', async () => {
    server.answer(listUnits, page([]));
    server.refuse(findUnit, 'not_found');
    await openDrawer(server, 'units', '7');
    await screen.findByText(/It was deleted/);
    await pass();
    expect(server.asked(findUnit)).toHaveLength(1);
    expect(currentToasts()).toEqual([]);
  });
});

describe('an open administration', () => {
  const menu = async () =>
    within(await screen.findByRole('navigation', { name: 'Sections of the administration' }));
  const overview = (count: number, more: object = {}) => ({
    ...{ sections: [{ section: 'unknown_units' as const, count }], clients: [] },
    ...{ video_off: null, closed_ports: [], ...more },
  });

  it('counts anew, and says that a port is free again', async () => {
    server.answer(listUnknownUnits, page([]));
    await openSection(server, 'unknown_units');
    const closed = { listener: 'egts', port: 20_332, reason: 'taken' } as const;
    server.answer(findAdminOverview, overview(1, { closed_ports: [closed] }));
    await pass();
    expect(await screen.findByRole('alert')).toHaveTextContent(/Port 20332 \(EGTS\) is closed/);
    server.answer(findAdminOverview, overview(4));
    await pass();
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
    expect((await menu()).getByText('4')).toBeVisible();
  });

  it('counts anew at once when a list has come with another total', async () => {
    server.answer(listUnknownUnits, page([madeUnknown]));
    let count = 0;
    server.answer(findAdminOverview, () => overview(count++));
    await openScreen(server, '/admin/unknown_units', { user: admin });
    await screen.findByText('133552');
    expect(await (await menu()).findByText('1')).toBeVisible();
    expect(server.asked(findAdminOverview)).toHaveLength(2);
  });
});
