import { searchRoutes } from '@ridewatch/contract/bus-routes';
import { listBuses } from '@ridewatch/contract/buses';
import { exportAdvancedReport, exportTest } from '@ridewatch/contract/report-exports';
import { estimateReport, listReports, requestReport } from '@ridewatch/contract/reports';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bus, busList, busRoute, customer, owner, page } from '../../test/made.ts';
import { openReport, reportPage } from '../../test/made-reports.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import { noteSavedFiles } from '../../test/saved-files.ts';
import { type FakeServer, refusal } from '../../test/server.ts';

const planner = { ...owner, advanced_report: true, advanced_report_clients: null };
const DAYS = 'from=2026-02-01&to=2026-02-28';

let server: FakeServer;
let saved: string[];
beforeEach(() => {
  server = freshServer();
  saved = noteSavedFiles();
  server.answer(listBuses, busList([bus(7), bus(8), bus(9)]));
  server.answer(searchRoutes, page([busRoute(5), busRoute(6), busRoute(12)]));
  server.answer(listReports, reportPage([]));
  server.answer(estimateReport, { rows: 120, is_long: false });
});
afterEach(() => vi.restoreAllMocks());

const openAt = (address: string, opening: Parameters<typeof openScreen>[2]) => {
  // The page before it, if there is one.
  cleanup();
  return openScreen(server, address, opening);
};
const openAdvanced = (query = '', opening = {}) =>
  openAt(`/demo-advanced-report${query}`, { user: planner, ...opening });
const openTest = (query = '', opening = {}) => openAt(`/test-export${query}`, opening);
const download = () => screen.findByRole('button', { name: 'Download the report' });
const file = (name: string) =>
  new Response('a;b', {
    headers: { 'content-disposition': `attachment; filename="_"; filename*=UTF-8''${name}` },
  });

describe('the advanced report', () => {
  it('is in the menu of those to whom the server opens it, and of nobody else', async () => {
    await openAdvanced();
    const menu = within(await screen.findByRole('navigation', { name: 'Main menu' }));
    expect(menu.getByRole('link', { name: 'Advanced report' })).toBeVisible();
    await openAdvanced('', { user: owner });
    expect(await screen.findByText('The report is not open to everybody')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Advanced report' })).not.toBeInTheDocument();
    expect(screen.queryByRole('form')).not.toBeInTheDocument();
  });

  it('offers the routes of the customers that have it, and no others', async () => {
    const routes = [busRoute(5, { client_id: 20 }), busRoute(6, { client_id: 21 })];
    server.answer(searchRoutes, page(routes));
    await openAdvanced('', { user: { ...planner, advanced_report_clients: [20] } });
    expect(await screen.findByRole('checkbox', { name: /Маршрут 5/ })).toBeInTheDocument();
    expect(screen.queryByRole('checkbox', { name: /Маршрут 6/ })).not.toBeInTheDocument();
  });

  it('takes a range that is asked for most with one press', async () => {
    const { hand, address } = await openAdvanced();
    await hand.click(await screen.findByRole('button', { name: 'Last week' }));
    await waitFor(() => expect(address()).toContain('from=2026-03-02&to=2026-03-08'));
  });

  it('requires both days and a route, and says so at the fields', async () => {
    const { hand } = await openAdvanced();
    await hand.click(await download());
    expect(screen.getAllByText('Required')).toHaveLength(3);
    expect(server.asked(estimateReport)).toHaveLength(0);
  });

  it('says that the last day is before the first, and that a range has five years at most', async () => {
    const { hand } = await openAdvanced('?from=2026-02-02&to=2026-02-01&ids=5');
    await hand.click(await download());
    expect(screen.getByText('The last day is before the first')).toBeVisible();
    await openAdvanced('?from=2020-01-01&to=2026-02-01&ids=5');
    await hand.click(await download());
    expect(screen.getByText('Five years at most')).toBeVisible();
  });

  it('downloads a small report at once, under the name that the server gives it', async () => {
    server.answer(exportAdvancedReport, () => file('Advanced-report_2026.xlsx') as never);
    const { hand } = await openAdvanced(`?${DAYS}`);
    await hand.click(await screen.findByRole('checkbox', { name: 'Маршрут 5' }));
    await hand.click(screen.getByRole('checkbox', { name: 'Маршрут 12' }));
    await hand.click(await download());
    await waitFor(() => expect(saved).toEqual(['blob:file as Advanced-report_2026.xlsx']));
    expect(server.asked(exportAdvancedReport)[0]?.query.toString()).toBe(
      `${DAYS}&language=en_US&groupIds=5&groupIds=12`,
    );
    expect(await screen.findByText('The report is downloaded.')).toBeVisible();
  });

  it('requests a long report, and shows how far it is', async () => {
    server.answer(estimateReport, { rows: 20_000, is_long: true });
    server.answer(requestReport, () => {
      server.answer(listReports, reportPage([openReport(3, 20)]));
      return openReport(3, 0);
    });
    const { hand } = await openAdvanced(`?${DAYS}&ids=5&format=csv`);
    await hand.click(await download());
    expect(await screen.findByRole('progressbar')).toHaveValue(20);
    expect(server.asked(requestReport)[0]?.body).toEqual({
      parameters: { kind: 'advanced-report', from: '2026-02-01', to: '2026-02-28', groupIds: [5] },
      format: 'csv',
      language: 'en_US',
    });
    expect(server.asked(listReports)[0]?.query.get('kind')).toBe('advanced-report');
    expect(saved).toEqual([]);
  });

  it('says that too many reports are in progress', async () => {
    server.answer(estimateReport, { rows: 20_000, is_long: true });
    server.refuse(requestReport, 'too_many_attempts');
    const { hand } = await openAdvanced(`?${DAYS}&ids=5`);
    await hand.click(await download());
    expect(await screen.findByText(/^10 of your reports are in progress/)).toBeVisible();
  });

  it('shows a failure in a toast, and keeps what was chosen', async () => {
    server.refuse(estimateReport, 'internal', 'The server failed.');
    const { hand, address } = await openAdvanced(`?${DAYS}&ids=5,6`);
    await hand.click(await download());
    expect(await screen.findByText('500: The server failed.')).toBeVisible();
    expect(address()).toMatch(/ids=5,6$/);
    expect(screen.getByRole('checkbox', { name: 'Маршрут 6' })).toBeChecked();
  });

  it('says of a lost connection that nothing was requested', async () => {
    const { hand } = await openAdvanced(`?${DAYS}&ids=5`);
    const button = await download();
    server.setLink(false);
    await hand.click(button);
    expect(await screen.findByText(/the report was not requested/)).toBeVisible();
    server.setLink(true);
  });

  it('says of a file that broke off that there is none, and saves nothing', async () => {
    const cut = new ReadableStream({ start: (body) => body.error(new Error('cut')) });
    server.answer(exportAdvancedReport, () => new Response(cut) as never);
    const { hand } = await openAdvanced(`?${DAYS}&ids=5`);
    await hand.click(await download());
    expect(await screen.findByText(/^The download broke off/)).toBeVisible();
    expect(saved).toEqual([]);
  });

  it('says that the routes could not be loaded, and tries again', async () => {
    server.refuse(searchRoutes, 'internal');
    const { hand } = await openAdvanced();
    const again = await screen.findByRole('button', { name: 'Try again' });
    server.answer(searchRoutes, page([busRoute(5)]));
    await hand.click(again);
    expect(await screen.findByRole('checkbox', { name: 'Маршрут 5' })).toBeVisible();
  });

  it('lists routes beyond the first answer, and keeps those that an address names', async () => {
    server.answer(searchRoutes, ({ query }) => {
      const number = Number(query.get('page'));
      return { items: [busRoute(number === 1 ? 12 : 5)], number, total: 2 };
    });
    await openAdvanced(`?${DAYS}&ids=12`);
    expect(await screen.findByRole('checkbox', { name: 'Маршрут 12' })).toBeChecked();
    expect(screen.getByText('1 of 2 chosen')).toBeVisible();
  });

  it('names the customers of routes where there are several', async () => {
    server.answer(listBuses, busList([bus(7)], [customer(20, 'Петров'), customer(22, 'Сидоров')]));
    server.answer(searchRoutes, page([busRoute(5), busRoute(6, { client_id: 22 })]));
    await openAdvanced();
    expect(await screen.findByRole('checkbox', { name: 'Маршрут 6 Сидоров' })).toBeVisible();
  });
});

describe('the list of routes or buses', () => {
  const rows = () => within(screen.getByRole('group', { name: 'Buses: list' }));

  it('is searched, chosen as found, and cleared', async () => {
    const { hand, address } = await openTest();
    await hand.type(await screen.findByRole('searchbox'), 'a 8');
    expect(rows().getAllByRole('checkbox')).toHaveLength(1);
    await hand.click(screen.getByRole('checkbox', { name: 'All found' }));
    expect(screen.getByText('1 of 3 chosen')).toBeVisible();
    expect(address()).toMatch(/ids=8$/);
    await hand.clear(screen.getByRole('searchbox'));
    const all = screen.getByRole('checkbox', { name: /^All 1 of 3/ });
    await hand.click(all);
    expect(screen.getByText('3 of 3 chosen')).toBeVisible();
    await hand.click(all);
    expect(screen.getByText('Nothing chosen: the export is about all buses')).toBeVisible();
  });

  it('is walked through by arrow keys', async () => {
    const { hand } = await openTest();
    (await screen.findByRole('checkbox', { name: 'А 7 АА' })).focus();
    await hand.keyboard('{ArrowDown}{ArrowDown} ');
    expect(screen.getByRole('checkbox', { name: 'А 9 АА' })).toBeChecked();
    await hand.keyboard('{ArrowUp}');
    expect(screen.getByRole('checkbox', { name: 'А 8 АА' })).toHaveFocus();
  });

  it('leaves out ids of an address that the user does not see', async () => {
    await openTest('?ids=7,999,x');
    expect(await screen.findByText('1 of 3 chosen')).toBeVisible();
  });
});

describe('the test export', () => {
  it('is in no menu, and says on a phone that it needs a wide screen', async () => {
    await openTest();
    await download();
    expect(screen.queryByRole('link', { name: 'Test export' })).not.toBeInTheDocument();
    await openTest('', { device: 'phone' });
    expect(await screen.findByText('This needs a wide screen')).toBeVisible();
    expect(screen.queryByRole('form')).not.toBeInTheDocument();
  });

  it('says that it could not load where its buses did not', async () => {
    server.answer(listBuses, () => refusal('internal') as never);
    await openTest();
    expect(await screen.findByText('Could not load')).toBeVisible();
  });

  it('requires both days, and is about all buses unless some are chosen', async () => {
    server.answer(exportTest, () => file('Test.csv') as never);
    const { hand } = await openTest('?format=csv');
    await hand.click(await download());
    expect(screen.getAllByText('Required')).toHaveLength(2);
    await openTest(`?${DAYS}`);
    await hand.click(await download());
    await waitFor(() => expect(saved).toEqual(['blob:file as Test.csv']));
    expect(server.asked(exportTest)[0]?.query.toString()).toBe(`${DAYS}&language=en_US`);
  });

  it('names no buses when all are chosen, however many they are', async () => {
    server.answer(listBuses, busList(Array.from({ length: 300 }, (_, index) => bus(index + 1))));
    server.answer(estimateReport, { rows: 20_000, is_long: true });
    server.answer(requestReport, openReport(3, 0));
    const { hand } = await openTest(`?${DAYS}`);
    await hand.click(await screen.findByRole('checkbox', { name: /^All / }));
    await hand.click(await download());
    await waitFor(() => expect(server.asked(requestReport)).toHaveLength(1));
    expect(server.asked(requestReport)[0]?.body.parameters).toEqual({
      kind: 'test-export',
      from: '2026-02-01',
      to: '2026-02-28',
    });
  });

  it('knows a choice that is made just before the button is pressed', async () => {
    server.answer(exportTest, () => file('Test.csv') as never);
    await openTest(`?${DAYS}`);
    const box = await screen.findByRole('checkbox', { name: 'А 8 АА' });
    fireEvent.click(box);
    fireEvent.click(screen.getByRole('button', { name: 'Download the report' }));
    await waitFor(() => expect(server.asked(exportTest)).toHaveLength(1));
    expect(server.asked(exportTest)[0]?.query.get('workplaceIds')).toBe('8');
  });

  it('takes its days from a calendar', async () => {
    const { hand, address } = await openTest();
    await hand.click(await screen.findByRole('button', { name: 'From: —' }));
    await hand.click(await screen.findByRole('button', { name: '9 March 2026' }));
    expect(await screen.findByRole('button', { name: 'From: 09.03.2026' })).toBeVisible();
    expect(address()).toMatch(/from=2026-03-09$/);
  });

  it('names the limit of 200 buses at the field, before and after the server says it', async () => {
    const many = Array.from({ length: 202 }, (_, index) => bus(index + 1));
    server.answer(listBuses, busList(many));
    const { hand } = await openTest(`?${DAYS}`);
    await hand.click(await screen.findByRole('checkbox', { name: /^All / }));
    await hand.click(screen.getByRole('checkbox', { name: 'А 1 АА' }));
    await hand.click(await download());
    expect(screen.getByText(/^At most 200 buses/)).toBeVisible();
    expect(server.asked(estimateReport)).toHaveLength(0);
    server.answer(estimateReport, () => refusal('too_many_buses') as never);
    await openTest(`?${DAYS}&ids=7`);
    await hand.click(await download());
    expect(await screen.findByText(/^At most 200 buses/)).toBeVisible();
  });
});
