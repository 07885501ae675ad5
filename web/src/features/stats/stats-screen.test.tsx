import { listBuses } from '@ridewatch/contract/buses';
import { findPassengerTraffic } from '@ridewatch/contract/stats';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { bus, busList, busRoute } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';
import { customSpan, readFilters } from './filters.ts';
import type { Traffic } from './series.ts';

const row = (id: number, day: string, entered: number, silent_hours = 0) => ({
  id,
  start_time: day,
  entered,
  exited: entered,
  entered_kids: 0,
  exited_kids: 0,
  fare: '10.00',
  no_price: 0,
  silent_hours,
});
const traffic = (items: ReturnType<typeof row>[]): Traffic => ({
  items,
  number: 0,
  total: items.length,
  series: [5, 6].map((id) => ({ id, name: `Route ${id}` })),
  tick: 'day',
  totals: { ...row(0, '', 60, 3), heard_hours: 97 },
  pending: 0,
});

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  const buses = [1, 2, 3].map((id) => bus(id, { group: busRoute(id < 3 ? 5 : 6) }));
  server.answer(listBuses, busList(buses));
  server.answer(
    findPassengerTraffic,
    traffic([row(5, '2026-03-09', 10), row(5, '2026-03-10', 20, 3), row(6, '2026-03-09', 30)]),
  );
});
const WEEK = '/stats?period=week&from=2026-03-09&by=route&buses=all';
const open = (address = WEEK, opening?: Parameters<typeof openScreen>[2]) =>
  openScreen(server, address, opening);
const legend = () => screen.findByRole('region', { name: 'Legend' });
const report = () => screen.findByRole('button', { name: 'Create report' });

describe('the statistics', () => {
  it('hint at the first visit to set filters, and make a report with the button', async () => {
    const { hand, address } = await open('/stats');
    expect(await screen.findByText('Set filter params and create a report.')).toBeVisible();
    await waitFor(async () => expect(await report()).toBeEnabled());
    await hand.click(await report());
    expect(await legend()).toBeVisible();
    expect(address()).toContain('period=month&from=2026-03-01&key=entered&by=route&buses=all');
    expect(server.asked(findPassengerTraffic)[0]?.query.getAll('workplaces')).toEqual([]);
  });

  it('open the view of a pasted link, with days of a week as ticks', async () => {
    await open(`${WEEK}&days=12`);
    const query = (await legend()) && server.asked(findPassengerTraffic)[0]?.query;
    expect(Object.fromEntries(query ?? [])).toMatchObject({
      dateFrom: '2026-03-09',
      dateTo: '2026-03-15',
      tick: 'day',
    });
    expect(query?.getAll('dayOfWeek')).toEqual(['1', '2']);
  });

  it('show figures and silent hours in a table, and a figure leads to the buses behind it', async () => {
    const { hand, address } = await open();
    const table = await screen.findByRole('region', { name: 'Table' });
    expect(within(table).getByRole('row', { name: /Route 5/ })).toHaveTextContent('30');
    expect(screen.getByText('3 h silent')).toBeVisible();
    await hand.click(within(table).getByRole('button', { name: '20' }));
    await waitFor(() => expect(address()).toContain('period=date&from=2026-03-10'));
    expect(address()).toContain('by=bus&buses=1.2');
  });

  it('switch a series off in the legend, and remember it in the address', async () => {
    const { hand, address } = await open();
    const entry = within(await legend()).getByRole('button', { name: /Route 6/ });
    await hand.click(entry);
    await waitFor(() => expect(address()).toContain('off=6'));
  });

  it('make no report without buses', async () => {
    const { hand } = await open();
    await hand.click(await screen.findByRole('checkbox', { name: /All buses/ }));
    expect(await report()).toBeDisabled();
  });

  it('say that there are no data, and what to do', async () => {
    server.answer(findPassengerTraffic, traffic([]));
    await open();
    expect(await screen.findByRole('heading', { name: 'No data to display' })).toBeVisible();
  });

  it('say that the server failed, with a retry', async () => {
    server.refuse(findPassengerTraffic, 'internal');
    await open();
    expect(
      await screen.findByRole('heading', { name: 'The statistics could not be loaded' }),
    ).toBeVisible();
  });

  it('have their filters in a dialog on a phone', async () => {
    const { hand } = await open(WEEK, { device: 'phone' });
    await hand.click(await screen.findByRole('button', { name: 'Filters' }));
    expect(await report()).toBeVisible();
  });
});

describe('the filters', () => {
  it('fill a missing end with the day after, and a missing start with the day before', () => {
    const today = '2026-03-10';
    expect(customSpan('2026-03-01', undefined, today).dateTo).toBe('2026-03-02');
    expect(customSpan(undefined, '2026-03-01', today).dateFrom).toBe('2026-02-28');
  });

  it('take their usual values for what the address misspells', () => {
    const found = readFilters(
      { period: 'x', from: '2026-02-31', days: '9', by: 'y' },
      '2026-03-10',
    );
    expect(found).toMatchObject({ period: 'month', span: { dateFrom: '2026-03-01' }, by: 'route' });
    expect(found.weekdays).toHaveLength(7);
  });
});
