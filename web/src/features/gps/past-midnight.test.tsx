import { findBusInfo, listBuses } from '@ridewatch/contract/buses';
import { listDayFragments } from '@ridewatch/contract/fragments';
import {
  findPosition,
  findStopStat,
  type LapSummary,
  listDayLaps,
  listLaps,
} from '@ridewatch/contract/laps';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { at, bus, busInfo, busList, dayFragments, lap, lapSummary, page } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

const YESTERDAY = '2026-03-09';
const TODAY = '2026-03-10';
const MIDNIGHT = Date.parse(at('00:00'));

let server: FakeServer;
let laps: Record<string, LapSummary[]>;
const night = (more: Partial<LapSummary> = {}): LapSummary =>
  lapSummary(4, { start: at('23:19', YESTERDAY), end: at('00:04'), open: true, ...more });
/** Lets the time pass after which the page asks again. */
const askAgain = () => vi.advanceTimersByTimeAsync(5_000);

beforeEach(() => {
  const now = MIDNIGHT + 5 * 60_000;
  const toFake = ['Date', 'setInterval', 'clearInterval'] as const;
  vi.useFakeTimers({ toFake: [...toFake], shouldAdvanceTime: true, now });
  server = freshServer();
  laps = { [YESTERDAY]: [lapSummary(1, { start: at('06:00', YESTERDAY) }), night()], [TODAY]: [] };
  server.answer(findBusInfo, ({ query }) => busInfo({ date: query.get('date') ?? TODAY }));
  server.answer(listBuses, busList([bus(7)]));
  server.answer(listDayLaps, ({ query }) => ({
    ...page(laps[query.get('date') ?? ''] ?? []),
    ...{ timezone: 'Europe/Moscow', pending: false, failure: null },
  }));
  server.answer(listLaps, ({ query }) => ({
    ...page([lap(Number(query.get('lapId')) - 100, night())]),
    timezone: 'Europe/Moscow',
  }));
  server.answer(listDayFragments, dayFragments([]));
  server.answer(findStopStat, { items: [] });
  server.answer(findPosition, {
    ...{ latitude: 55.7, longitude: 37.6, direction: 90, speed_kmh: 23.4, state: 'moving' },
    time: new Date(MIDNIGHT + 5 * 60_000).toISOString(),
  });
});

describe('after midnight, the lap that a bus drives since yesterday', () => {
  it('is on the map of today with its live place, until today has a lap', async () => {
    await openScreen(server, '/bus/7/gps');
    const tab = await screen.findByRole('tab', { name: /^Lap ?4/ });
    expect(tab).toHaveTextContent('yesterday 23:19');
    expect(tab).toHaveAttribute('aria-selected', 'true');
    expect(await screen.findByText(/now: moving/)).toHaveTextContent('23 km/h');
    expect(server.asked(listLaps)[0]?.query.get('date')).toBe(YESTERDAY);
    laps[TODAY] = [lapSummary(1, { start: at('00:04:30'), end: at('00:05'), open: true })];
    await askAgain();
    expect(await screen.findByRole('tab', { name: /^Lap ?1/ })).toBeVisible();
    expect(screen.queryByText(/yesterday/)).not.toBeInTheDocument();
  });

  it('is still there when it has ended today, and today has no other', async () => {
    laps[YESTERDAY] = [night({ open: false })];
    await openScreen(server, '/bus/7/gps');
    expect(await screen.findByRole('tab', { name: /^Lap ?4/ })).toBeVisible();
    expect(server.asked(findPosition)).toHaveLength(0);
  });

  it('is live on the page of yesterday, too, which asks until it has ended', async () => {
    await openScreen(server, `/bus/7/gps?date=${YESTERDAY}`);
    const tab = await screen.findByRole('tab', { name: /^Lap ?4/ });
    expect(tab).toHaveAttribute('aria-selected', 'true');
    expect(await screen.findByText(/now: moving/)).toBeVisible();
    laps[YESTERDAY] = [night({ open: false, end: at('00:05'), entered: 44 })];
    await askAgain();
    await waitFor(() => expect(tab).toHaveTextContent('– 00:05, +44'));
    const asked = server.asked(findPosition).length;
    expect(screen.queryByText(/now: moving/)).not.toBeInTheDocument();
    expect(asked).toBeGreaterThan(0);
  });

  it('is none of today where it ended before midnight', async () => {
    laps[YESTERDAY] = [night({ open: false, end: at('23:58', YESTERDAY) })];
    await openScreen(server, '/bus/7/gps');
    await screen.findByText('There is no track of today yet');
    expect(screen.queryByRole('tab', { name: /^Lap/ })).not.toBeInTheDocument();
  });
});
