import { listBuses } from '@ridewatch/contract/buses';
import { findPassengerTraffic } from '@ridewatch/contract/stats';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { bus, busList, busRoute } from '../../test/made.ts';
import { seriesOf, traffic, trafficRow } from '../../test/made-stats.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  const buses = [1, 2, 3].map((id) => bus(id, { group: busRoute(id < 3 ? 5 : 6) }));
  server.answer(listBuses, busList(buses));
  server.answer(
    findPassengerTraffic,
    traffic([
      trafficRow(5, '2026-03-09', 10),
      trafficRow(5, '2026-03-10', 20, 3),
      trafficRow(6, '2026-03-09', 35),
    ]),
  );
});
/** The running week: today is its second day. */
const WEEK = '/stats?period=week&from=2026-03-09&by=route&buses=all';
const open = (address = WEEK, opening?: Parameters<typeof openScreen>[2]) =>
  openScreen(server, address, opening);
const legend = () => screen.findByRole('region', { name: 'Legend' });
const table = () => screen.findByRole('region', { name: 'Table' });
const report = () => screen.findByRole('button', { name: 'Create report' });
const asked = () => server.asked(findPassengerTraffic);

describe('the statistics', () => {
  it('hint at the first visit to set filters, and make a report with the button', async () => {
    const { hand, address } = await open('/stats');
    expect(await screen.findByText('Set filter params and create a report.')).toBeVisible();
    await waitFor(async () => expect(await report()).toBeEnabled());
    expect(asked()).toHaveLength(0);
    await hand.click(await report());
    expect(await legend()).toBeVisible();
    expect(address()).toContain('period=month&from=2026-03-01&key=entered&by=route&buses=all');
    expect(asked()[0]?.query.getAll('workplaces')).toEqual([]);
  });

  it('make a report of the ranges that are asked for most with one press', async () => {
    const { hand, address } = await open();
    await legend();
    const press = (name: string) => hand.click(screen.getByRole('button', { name }));
    await press('Yesterday');
    await waitFor(() => expect(address()).toContain('period=date&from=2026-03-09'));
    await press('Last week');
    await waitFor(() => expect(address()).toContain('period=week&from=2026-03-02'));
    await press('Month to yesterday');
    await waitFor(() => expect(address()).toMatch(/period=custom&from=2026-03-01.*&to=2026-03-09/));
  });

  it('begin with the day of the buses, where it is already tomorrow', async () => {
    vi.setSystemTime('2026-03-31T15:00:00Z');
    server.answer(listBuses, busList([bus(1, { timezone: 'Asia/Vladivostok' })]));
    const { hand, address } = await open('/stats');
    await waitFor(async () => expect(await report()).toBeEnabled());
    await hand.click(await report());
    await waitFor(() => expect(address()).toContain('period=month&from=2026-04-01'));
  });

  it('open the view of a pasted link, with days of a week as ticks', async () => {
    await open(`${WEEK}&days=12`);
    await legend();
    const query = asked()[0]?.query;
    expect(Object.fromEntries(query ?? [])).toMatchObject({
      dateFrom: '2026-03-09',
      dateTo: '2026-03-15',
      tick: 'day',
    });
    expect(query?.getAll('dayOfWeek')).toEqual(['1', '2']);
    expect(screen.getByRole('button', { name: 'We' })).toHaveAttribute('aria-pressed', 'false');
  });

  it('have every figure in a table, and a figure leads to the buses behind it', async () => {
    const { hand, address } = await open();
    const row = within(await table()).getByRole('row', { name: /Route 5/ });
    expect(
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['30', '15', '3 h', '86,9\u00a0%', '10', '20', '', '', '', '', '']);
    await hand.click(within(row).getByRole('button', { name: '20' }));
    await waitFor(() => expect(address()).toContain('period=date&from=2026-03-10'));
    expect(address()).toContain('by=bus&buses=1-2');
  });

  it('say that history is arriving, and of how many buses', async () => {
    const arriving = { from: '2026-01-05', buses: 3 };
    server.answer(findPassengerTraffic, {
      ...traffic([trafficRow(5, '2026-03-09', 10)]),
      arriving,
    });
    await open();
    expect(
      await screen.findByText(
        'History is arriving: 3 buses are still sending records from 05.01.2026 on.',
      ),
    ).toBeVisible();
  });

  it('count days before all data as not complete, and average over the days with data', async () => {
    vi.setSystemTime('2026-03-12T09:00:00Z');
    server.answer(
      findPassengerTraffic,
      traffic([trafficRow(5, '2026-03-11', 10), trafficRow(5, '2026-03-12', 20, 0, true)], {
        totals: {
          ...traffic([trafficRow(5, '2026-03-11', 10)]).totals,
          ...{ heard_hours: 20, missing_hours: 20 },
        },
      }),
    );
    await open();
    const mean = await screen.findByText('Average a day');
    expect(mean.nextElementSibling).toHaveTextContent(/^10 1 day with data$/);
    const [strip] = screen.getAllByText('Completeness');
    expect(strip?.nextElementSibling).toHaveTextContent(/^50\s% no data before 11.03.2026/);
  });

  it('go back to the report before', async () => {
    const { hand, address } = await open();
    await hand.click(within(await table()).getByRole('button', { name: '20' }));
    await waitFor(() => expect(address()).toContain('period=date'));
    window.history.back();
    await waitFor(() => expect(address()).toContain('period=week'));
    expect(await screen.findByRole('heading', { name: 'Entered by route' })).toBeVisible();
  });

  it('lead from a figure of a bus to its day', async () => {
    const { hand, address } = await open(WEEK.replace('route', 'bus'));
    await hand.click(within(await table()).getByRole('button', { name: '20' }));
    await waitFor(() => expect(address()).toMatch(/\/bus\/5.*date=2026-03-10/));
  });

  it('are read again when a user comes back from a day, where a figure may have changed', async () => {
    const { hand } = await open(WEEK.replace('route', 'bus'));
    await hand.click(within(await table()).getByRole('button', { name: '20' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Legend' })).toBeNull());
    server.answer(findPassengerTraffic, traffic([trafficRow(5, '2026-03-09', 77)]));
    window.history.back();
    expect(await within(await table()).findByRole('button', { name: '77' })).toBeVisible();
  });

  it('show the count key that is chosen at once, without another request', async () => {
    const { hand, address } = await open();
    await table();
    await hand.click(screen.getByRole('button', { name: 'Revenue' }));
    await waitFor(() => expect(address()).toContain('key=fare'));
    expect(await screen.findByRole('heading', { name: 'Revenue by route' })).toBeVisible();
    expect(within(await table()).getByRole('row', { name: /Route 5/ })).toHaveTextContent('20,00');
    expect(asked()).toHaveLength(1);
  });

  it('say that the report has the former filters until the button is pressed', async () => {
    const { hand } = await open();
    await table();
    expect(screen.queryByText('The filters have changed: create the report again.')).toBeNull();
    await hand.click(screen.getByRole('button', { name: 'By bus' }));
    expect(screen.getByText('The filters have changed: create the report again.')).toBeVisible();
    await hand.click(screen.getByRole('button', { name: 'Create report' }));
    await waitFor(() =>
      expect(screen.queryByText('The filters have changed: create the report again.')).toBeNull(),
    );
  });

  it('step to the week before with the arrow', async () => {
    const { hand, address } = await open();
    await table();
    await hand.click(screen.getByRole('button', { name: 'Previous period' }));
    await waitFor(() => expect(address()).toContain('from=2026-03-02'));
    await waitFor(() => expect(asked().at(-1)?.query.get('dateFrom')).toBe('2026-03-02'));
  });

  it('sort the table by the head of a column, and again the other way', async () => {
    const { hand, address } = await open();
    const names = async () =>
      within(await table())
        .getAllByRole('rowheader')
        .map((head) => head.textContent?.trim());
    expect(await names()).toEqual(['Sum', 'Route 6', 'Route 5']);
    await hand.click(within(await table()).getByRole('button', { name: /^Route/ }));
    await waitFor(() => expect(address()).toContain('sort=name'));
    await waitFor(async () => expect(await names()).toEqual(['Sum', 'Route 5', 'Route 6']));
  });
});

describe('the chart', () => {
  const chart = async () => {
    await legend();
    const area = document.querySelector('[data-chart]');
    if (!area) throw new Error('no chart');
    return area;
  };
  /** Within the second tick of seven; every element is 1,000 px wide. */
  const SECOND = { clientX: 258, clientY: 100, pointerType: 'mouse' };

  it('says what a tick brought, with two decimals, the largest first', async () => {
    await open();
    const area = await chart();
    fireEvent.pointerMove(area, { ...SECOND, clientX: 100 });
    const note = area.querySelector('[role="status"]');
    expect(note).toHaveTextContent('Mo, 09.03.2026 Route 6 35,00 Route 5 10,00Shown 45,00');
    fireEvent.pointerLeave(area, SECOND);
    expect(area.querySelector('[role="status"]')).toBeNull();
  });

  it('opens the buses behind a tick that is pressed', async () => {
    const { address } = await open();
    const area = await chart();
    fireEvent.pointerDown(area, SECOND);
    fireEvent.pointerUp(area, SECOND);
    await waitFor(() => expect(address()).toContain('period=date&from=2026-03-10'));
    expect(address()).toContain('by=bus&buses=all');
  });

  it('hatches silent hours and says whose they are, and dashes the unfinished day', async () => {
    server.answer(
      findPassengerTraffic,
      traffic([
        trafficRow(5, '2026-03-09', 10, 3),
        trafficRow(5, '2026-03-10', 4, 0, true),
        trafficRow(6, '2026-03-09', 35),
        trafficRow(6, '2026-03-10', 5, 0, true),
      ]),
    );
    await open();
    const area = await chart();
    expect(area.querySelectorAll('rect[data-silent="3"]')).toHaveLength(1);
    expect(area).toHaveTextContent('Route 5: units silent 3 h');
    expect(area.querySelectorAll('[data-unfinished]')).toHaveLength(2);
    expect(screen.getAllByText('units silent 3 h').length).toBeGreaterThan(0);
  });

  it('has no line of a series that is switched off, which the address remembers', async () => {
    const { hand, address } = await open();
    const area = await chart();
    expect(area).toHaveAttribute('data-chart', '7 × 2');
    const entry = within(await legend()).getByRole('button', { name: /Route 6/ });
    await hand.click(entry);
    await waitFor(() => expect(address()).toContain('off=6'));
    await waitFor(() => expect(entry).toHaveAttribute('aria-pressed', 'false'));
    await waitFor(() => expect(area).toHaveAttribute('data-chart', '7 × 1'));
    await hand.click(within(await legend()).getByRole('button', { name: 'show all' }));
    await waitFor(() => expect(address()).not.toContain('off='));
  });

  it('draws hundreds of series, and lists only the visible ones', async () => {
    const ids = Array.from({ length: 200 }, (_, at) => at + 1);
    const items = ids.map((id) => trafficRow(id, '2026-03-09', id));
    server.answer(findPassengerTraffic, traffic(items, { series: seriesOf(ids, 'Bus') }));
    await open();
    expect(await chart()).toHaveAttribute('data-chart', '7 × 200');
    const entries = within(await legend()).getAllByRole('button', { name: /^Bus/ });
    expect(entries.length).toBeLessThan(60);
    expect(within(await table()).getAllByRole('rowheader').length).toBeLessThan(60);
  });
});

it('have one heading of the page at the first visit, with a report and without one', async () => {
  for (const address of [
    '/stats',
    WEEK,
    WEEK.replace('by=route&buses=all', 'by=bus&buses=1-201'),
  ]) {
    await open(address);
    expect(await screen.findAllByRole('heading', { level: 1 })).toHaveLength(1);
    expect(screen.getByRole('heading', { name: 'Statistics', level: 1 })).toBeInTheDocument();
    cleanup();
  }
});

describe('a report that cannot be made', () => {
  it('for want of buses has a button that is disabled', async () => {
    const { hand } = await open();
    await hand.click(await screen.findByRole('checkbox', { name: /All buses/ }));
    expect(await report()).toBeDisabled();
  });

  it('because of too many buses says how many there may be, and asks nothing', async () => {
    await open(WEEK.replace('by=route&buses=all', 'by=bus&buses=1-201'));
    expect((await screen.findAllByText(/At most 200 buses can be chosen/)).length).toBe(2);
    expect(await report()).toBeDisabled();
    expect(asked()).toHaveLength(0);
  });

  it('because its buses are foreign asks to choose again', async () => {
    server.refuse(findPassengerTraffic, 'not_found');
    await open(WEEK.replace('all', '99'));
    expect(await screen.findByText(/You do not see some of the chosen buses/)).toBeVisible();
  });

  it('because there are no data says what to do', async () => {
    server.answer(findPassengerTraffic, traffic([]));
    await open();
    expect(await screen.findByRole('heading', { name: 'No data to display' })).toBeVisible();
  });

  it('without the server say once why, and of the buses that they are missing', async () => {
    server.refuse(listBuses, 'internal');
    server.refuse(findPassengerTraffic, 'internal');
    await open();
    expect(await screen.findByText('Could not load: the list of buses')).toBeVisible();
    expect(await screen.findAllByText(/The server has a fault/)).toHaveLength(1);
  });

  it('because the server failed can be tried again', async () => {
    server.refuse(findPassengerTraffic, 'internal');
    const { hand } = await open();
    expect(
      await screen.findByRole('heading', { name: 'The statistics could not be loaded' }),
    ).toBeVisible();
    server.answer(findPassengerTraffic, traffic([trafficRow(5, '2026-03-09', 10)]));
    await hand.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await legend()).toBeVisible();
  });
});

describe('the demo banner', () => {
  it('says that feedback is welcome, and stays closed', async () => {
    const { hand } = await open('/stats');
    expect(await screen.findByRole('link', { name: 'leave feedback' })).toHaveAttribute(
      'href',
      'mailto:help@example.org',
    );
    await hand.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByText(/demo mode/)).not.toBeInTheDocument();
    cleanup();
    await open();
    await legend();
    expect(screen.queryByText(/demo mode/)).not.toBeInTheDocument();
  });
});

describe('the statistics on a phone', () => {
  it('have their filters in a dialog, name them, and have a table of totals and shares', async () => {
    const { hand } = await open(WEEK, { device: 'phone' });
    const row = within(await table()).getByRole('row', { name: /Route 6/ });
    expect(row).toHaveTextContent(/35\s*35\s*53,8\s%/);
    expect(screen.getByText('09.03 – 15.03.2026')).toBeVisible();
    await hand.click(screen.getByRole('button', { name: /^Filters/ }));
    expect(await report()).toBeVisible();
  });

  it('have the figures of each day in a table, too, which leads to the buses of a day', async () => {
    const { hand, address } = await open(`${WEEK}&with=before`, { device: 'phone' });
    await table();
    await hand.click(screen.getByRole('button', { name: 'By day' }));
    await waitFor(() => expect(address()).toContain('view=ticks'));
    const day = await screen.findByRole('row', { name: /Tu, 10.03/ });
    expect(day).toHaveTextContent(/20—3 h$/);
    await hand.click(within(day).getByRole('button'));
    await waitFor(() => expect(address()).toContain('period=date&from=2026-03-10'));
    expect(address()).toContain('by=bus');
  });

  it('have the exports beside the filters', async () => {
    await open(WEEK, { device: 'phone' });
    await table();
    const filters = screen.getByRole('button', { name: /^Filters/ });
    expect(filters.parentElement).toContainElement(screen.getByRole('button', { name: 'Export' }));
  });

  it('make a report from the dialog, which closes', async () => {
    const { hand, address } = await open('/stats', { device: 'phone' });
    const [button] = await screen.findAllByRole('button', { name: 'Filters' });
    if (!button) throw new Error('no button of the filters');
    await hand.click(button);
    await waitFor(async () => expect(await report()).toBeEnabled());
    await hand.click(await report());
    expect(await table()).toBeVisible();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(address()).toContain('period=month');
  });
});
