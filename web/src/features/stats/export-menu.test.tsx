import { listBuses } from '@ridewatch/contract/buses';
import { exportPassengerTraffic } from '@ridewatch/contract/report-exports';
import { estimateReport } from '@ridewatch/contract/reports';
import { findPassengerTraffic } from '@ridewatch/contract/stats';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bus, busList } from '../../test/made.ts';
import { traffic, trafficRow } from '../../test/made-stats.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import { noteSavedFiles } from '../../test/saved-files.ts';
import type { FakeServer } from '../../test/server.ts';
import { ALL_WEEKDAYS } from './filters.ts';
import { tableRows } from './report-files.ts';
import { chartOf } from './series.ts';
import { en } from './texts-en.ts';

let server: FakeServer;
let saved: string[];
beforeEach(() => {
  server = freshServer();
  saved = noteSavedFiles();
  server.answer(listBuses, busList([bus(1), bus(2)]));
  server.answer(findPassengerTraffic, traffic([trafficRow(5, '2026-03-09', 10)]));
});
afterEach(() => vi.restoreAllMocks());

const openMenu = async () => {
  const address = '/stats?period=week&from=2026-03-09&by=route&buses=1-2&days=12';
  const { hand } = await openScreen(server, address);
  await hand.click(await screen.findByRole('button', { name: 'Export' }));
  const choose = async (name: string) => hand.click(await screen.findByRole('button', { name }));
  return { hand, choose };
};

describe('the exports of the statistics', () => {
  it('save the table as text', async () => {
    const { choose } = await openMenu();
    await choose('Save the table (CSV)');
    expect(saved).toEqual(['blob:file as Entered by route 09.03.2026 – 15.03.2026.csv']);
  });

  it('are of the same buses, days and grouping', async () => {
    server.answer(estimateReport, { rows: 2, is_long: false });
    server.answer(exportPassengerTraffic, () => new Response('a;b') as never);
    const { hand, choose } = await openMenu();
    await choose('Report: passenger traffic');
    const dialog = await screen.findByRole('dialog', { name: 'Passenger traffic' });
    await hand.click(within(dialog).getByRole('button', { name: 'Download' }));
    await waitFor(() => expect(server.asked(exportPassengerTraffic)).toHaveLength(1));
    const query = server.asked(exportPassengerTraffic)[0]?.query;
    expect(Object.fromEntries(query ?? [])).toMatchObject({
      ...{ from: '2026-03-09', to: '2026-03-15', groupby: 'route', tick: 'day' },
    });
    expect(query?.getAll('workplaceIds')).toEqual(['1', '2']);
    expect(query?.getAll('dayOfWeek')).toEqual(['1', '2']);
  });
});

describe('the rows of the saved table', () => {
  it('are numbers, with cells for the ticks without any', () => {
    const answer = traffic([{ ...trafficRow(5, '2026-03-09', 10), fare: '10.50' }], {
      series: [{ id: 5, name: 'А 5', missing_hours: 0 }],
    });
    const span = { dateFrom: '2026-03-09', dateTo: '2026-03-10' };
    const options = {
      key: 'fare',
      today: '2026-03-09',
      weekdays: ALL_WEEKDAYS,
      isUntilNow: false,
    } as const;
    const chart = chartOf(answer, span, { ...options, nameless: '' });
    expect(tableRows(chart, en)).toEqual([
      ['Name', 'Total', 'Silent', '09.03', '10.03'],
      ['А 5', 10.5, 0, 10.5, ''],
    ]);
  });
});
