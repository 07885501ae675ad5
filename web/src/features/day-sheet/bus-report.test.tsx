import { findBusInfo, listBuses } from '@ridewatch/contract/buses';
import type { Calculation } from '@ridewatch/contract/day-calculation';
import { listDayFragments } from '@ridewatch/contract/fragments';
import { listDayLaps } from '@ridewatch/contract/laps';
import { exportWorkplacesReport } from '@ridewatch/contract/report-exports';
import { estimateReport } from '@ridewatch/contract/reports';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { at, bus, busInfo, busList, dayFragments, lapSummary } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import { noteSavedFiles } from '../../test/saved-files.ts';
import type { FakeServer } from '../../test/server.ts';

const DAY = '2026-03-09';
const calculation: Calculation = {
  workplace_id: 7,
  date: DAY,
  stored: true,
  copied_from: null,
  updated_at: null,
  updated_by: null,
  pending: false,
  type_calculation: 'FIXED',
  fare: '45.00',
  salary_percent: '18.50',
  cashless: '100.00',
  calculation_event: 'ENTERED',
  shift_start: at('06:00', DAY),
  shift_end: null,
  driver: 'Сергей Орлов',
  handed_in: '3000.00',
  count: 96,
  outside_shift: 4,
  total: '4320.00',
  total_error: null,
  no_price: 0,
  salary: '799.20',
  result: '3420.80',
  difference: '-420.80',
};
const day = dayFragments([], {
  date: DAY,
  totalEntered: 95,
  totalEnteredManual: 96,
  totalExited: 94,
  totalExitedManual: 94,
  entered: { adult: 90, kids: 6 },
  exited: { adult: 88, kids: 6 },
  calculation,
  events: [1, 2].map((device_id) => ({
    device_id,
    events: [{ start_time: at('08:00', DAY), entered: 48, exited: 47 }],
  })),
});

let server: FakeServer;
let saved: string[];
beforeEach(() => {
  server = freshServer();
  saved = noteSavedFiles();
  server.answer(findBusInfo, busInfo({ date: DAY }));
  server.answer(listBuses, busList([bus(7)]));
  server.answer(listDayFragments, day);
  server.answer(listDayLaps, laps(2));
});
afterEach(() => vi.restoreAllMocks());

function laps(count: number) {
  const people = { entered: 2, exited: 1, max_passengers: 23 };
  const items = Array.from({ length: count }, (_, index) =>
    lapSummary(1, { number: index + 1, lap_id: index + 1, revenue: '100.10', ...people }),
  );
  return {
    items,
    number: 0,
    total: count,
    timezone: 'Europe/Moscow',
    pending: false,
    failure: null,
  };
}
const plain = (element: HTMLElement) => element.textContent.replace(/\s/g, ' ');

async function open(opening = {}) {
  const view = await openScreen(server, `/bus/7?date=${DAY}`, opening);
  await view.hand.click(await screen.findByRole('button', { name: 'Report' }));
  await screen.findByRole('dialog', { name: 'Bus report' });
  return view;
}
async function openSheet(opening = {}) {
  const view = await open(opening);
  await view.hand.click(screen.getByRole('button', { name: 'Open the sheet' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Day sheet' }));
  return { ...view, paper: await sheet.findByRole('article'), sheet };
}

describe('the report of a bus and a day', () => {
  it('is downloaded in the chosen format, and is about this bus and day alone', async () => {
    server.answer(estimateReport, { rows: 40, is_long: false });
    server.answer(exportWorkplacesReport, () => new Response('a;b') as never);
    const { hand } = await open();
    await hand.click(screen.getByRole('button', { name: 'CSV text' }));
    await hand.click(screen.getByRole('button', { name: 'Download' }));
    await waitFor(() => expect(saved).toEqual(['blob:file as workplaces-report.csv']));
    expect(server.asked(exportWorkplacesReport)[0]?.query.toString()).toBe(
      `from=${DAY}&to=${DAY}&language=en_US&workplaceIds=7`,
    );
  });

  it('is said to be refused where it was asked for', async () => {
    server.refuse(estimateReport, 'too_large');
    const { hand } = await open();
    await hand.click(screen.getByRole('button', { name: 'Download' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Too many rows for a file');
  });
});

describe('the day sheet', () => {
  it('has the totals, hours of all units, laps, money and signatures', async () => {
    const { paper } = await openSheet();
    const text = plain(paper);
    expect(text).toContain('09.03.2026Monday');
    expect(text).toContain('Entered9690 adults, 6 children; 95 by the counter');
    expect(text).toContain('Exited9488 adults, 6 children');
    expect(text).toContain('Shift: 06:00 – end of the day');
    expect(within(paper).getByRole('row', { name: /^Entered/ })).toHaveTextContent('9696');
    expect(text).toContain('Laps2');
    expect(text).toContain('To hand in3 420,80 ₽');
    expect(text).toContain('Entered 4 outside the shift96');
    expect(text).toContain('Salary, 18,5 %799,20 ₽');
    expect(text).toContain('Difference−420,80 ₽');
    expect(text).toContain('DriverСергей Орлов');
    expect(text).toContain('Cashiersignature, name');
  });

  it('says nothing of children if no counter of the day tells them apart', async () => {
    const grown = { adult: 96, kids: 0 };
    const more = { entered: grown, exited: grown, tells_children: false };
    server.answer(listDayFragments, { ...day, ...more });
    const { paper } = await openSheet();
    expect(plain(paper)).toContain('Entered9695 by the counter');
    expect(plain(paper)).not.toContain('children');
  });

  it('sums the laps that the page has no room for, and the whole', async () => {
    server.answer(listDayLaps, laps(47));
    const { paper } = await openSheet();
    const rows = within(paper).getAllByRole('row').map(plain);
    expect(rows).toContain('and 9 more laps18923900,90');
    expect(rows.at(-2)).toBe('outside of these laps247—');
    expect(rows.at(-1)).toBe('Total9694234 704,70');
  });

  it('adds up under a shift: the laps that start in it, and who is in none of them', async () => {
    const { items, ...rest } = laps(3);
    const starts = ['05:59', '06:00', '21:00'];
    const shifted = items.map((lap, n) => ({
      ...lap,
      start: at(starts[n] ?? '', DAY),
      entered: 50,
    }));
    server.answer(listDayLaps, { ...rest, items: shifted });
    const byPrices = { type_calculation: 'CALCULATION', total: '200.20' } as const;
    server.answer(listDayFragments, { ...day, calculation: { ...calculation, ...byPrices } });
    const { paper } = await openSheet();
    const rows = within(paper).getAllByRole('row').map(plain);
    expect(rows.slice(-2)).toEqual(['outside of these laps−492—', 'Total969423200,20']);
    expect(plain(paper)).toContain('Laps2');
    expect(plain(paper)).toContain('1 more lap starts outside the shift.');
  });

  it('is light in the dark theme, and printed by the press of a button', async () => {
    const print = vi.fn();
    window.print = print;
    const { paper, sheet, hand } = await openSheet();
    expect(paper).toHaveAttribute('data-theme', 'light');
    await hand.click(sheet.getByRole('button', { name: 'Print' }));
    expect(print).toHaveBeenCalledOnce();
  });

  it('stays open after a reload, opens from a link, and closes with Back', async () => {
    const { address, unmount } = await openSheet();
    expect(address()).toContain(`/bus/7?date=${DAY}&sheet=day`);
    unmount();
    await openScreen(server, address());
    expect(await screen.findByRole('dialog', { name: 'Day sheet' })).toBeVisible();
    window.history.back();
    await waitFor(() => expect(screen.queryByRole('article')).not.toBeInTheDocument());
  });

  it('leaves the address when it is closed', async () => {
    const { hand, sheet, address } = await openSheet();
    await hand.click(sheet.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(address()).not.toContain('sheet'));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('leaves out the money of a bus without a calculator, and laps of one without positions', async () => {
    server.answer(findBusInfo, busInfo({ date: DAY, gps_trackable: false }));
    server.answer(listDayFragments, { ...day, calculation: null });
    const { paper } = await openSheet();
    expect(plain(paper)).not.toContain('Money');
    expect(plain(paper)).not.toContain('Laps');
    expect(server.asked(listDayLaps)).toHaveLength(0);
  });

  it('says that the laps could not be loaded', async () => {
    server.refuse(listDayLaps, 'internal');
    const { paper } = await openSheet();
    expect(paper).toHaveTextContent('The laps could not be loaded.');
  });

  it('is in Russian for a Russian page', async () => {
    const { hand } = await openScreen(server, `/bus/7?date=${DAY}`, { language: 'ru_RU' });
    await hand.click(await screen.findByRole('button', { name: 'Отчёт' }));
    await hand.click(await screen.findByRole('button', { name: 'Открыть лист' }));
    const paper = await screen.findByRole('article');
    expect(plain(paper)).toContain('понедельник');
    expect(plain(paper)).toContain('К сдаче3 420,80 ₽');
  });
});
