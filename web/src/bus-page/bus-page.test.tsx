import { type BusInfo, findBusInfo, listBuses } from '@ridewatch/contract/buses';
import { listDayFragments, listPeriods } from '@ridewatch/contract/fragments';
import { listDayLaps } from '@ridewatch/contract/laps';
import { findRecalculation } from '@ridewatch/contract/recalculation';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { TODAY } from '../test/browser.ts';
import {
  admin,
  bus,
  busInfo,
  busList,
  camera,
  customer,
  dayFragments,
  fragment,
  page,
  serviceCamera,
} from '../test/made.ts';
import { freshServer, openScreen } from '../test/open.tsx';
import { type FakeServer, refusal } from '../test/server.ts';

const YESTERDAY = '2026-03-09';
let server: FakeServer;
const noLaps = { ...page([]), timezone: 'Europe/Moscow', pending: false, failure: null };

const serve = (more: Partial<BusInfo> = {}) => {
  server.answer(findBusInfo, ({ params, query }) =>
    busInfo({
      id: Number(params.busId),
      name: `А ${params.busId} АА`,
      date: query.get('date') ?? TODAY,
      ...more,
    }),
  );
};
beforeEach(() => {
  server = freshServer();
  serve();
  server.answer(listBuses, busList([bus(7), bus(8), bus(9)]));
  server.answer(listDayLaps, noLaps);
  server.answer(listDayFragments, ({ query }) =>
    dayFragments([fragment(1, '08:00')], { date: query.get('date') ?? TODAY }),
  );
});
const open = (address = '/bus/7', opening?: Parameters<typeof openScreen>[2]) =>
  openScreen(server, address, opening);
const name = (of: string) => screen.findByRole('heading', { name: of, level: 1 });
const tabNames = () =>
  within(screen.getByRole('navigation', { name: 'Parts of the bus page' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);

describe('the page of a bus', () => {
  it('says which bus it is and that its unit is heard', async () => {
    await open();
    expect(await name('А 7 АА')).toBeVisible();
    expect(screen.getByText('online')).toBeVisible();
  });

  it('says for how long a unit has been silent', async () => {
    serve({ last_seen_at: '2026-03-10T10:00:00.000Z' });
    await open();
    await name('А 7 АА');
    expect(screen.getByText(/silent/)).toHaveTextContent('silent, 2 h ago');
  });

  it('says of a bus without a unit since when it has none, and never that it was not heard', async () => {
    const none = { last_seen_at: null, group_device_id: null };
    serve({ ...none, without_unit: { since: '2026-03-10T06:05:00.000Z' } });
    const { unmount } = await open();
    await name('А 7 АА');
    expect(screen.getByText('unit removed 10.03 09:05')).toBeVisible();
    unmount();
    serve({ ...none, without_unit: { since: null } });
    await open();
    await name('А 7 АА');
    expect(screen.getByText('no unit')).toBeVisible();
  });

  it('says of a unit that was never heard that it was not', async () => {
    serve({ last_seen_at: null });
    await open();
    await name('А 7 АА');
    expect(screen.getByText('never connected')).toBeVisible();
  });

  it('shows its outline while it is on its way, and that it could not be loaded', async () => {
    server.refuse(findBusInfo, 'internal');
    const { hand } = await open();
    expect(await screen.findByText(/The server has a fault/)).toBeVisible();
    serve();
    await hand.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await name('А 7 АА')).toBeVisible();
  });

  it.each(['/bus/0', '/bus/seven', '/bus/404'])('at %s leads to the bus list', async (where) => {
    server.refuse(findBusInfo, 'not_found');
    const { address } = await open(where);
    await waitFor(() => expect(address()).toMatch(/\/buses$/));
  });

  it('logs settings of the bus that cannot be read, and opens without them', async () => {
    const log = vi.fn();
    vi.stubGlobal('reportError', log);
    for (const config of ['{"a":', '[1]', '7']) {
      log.mockClear();
      serve({ config });
      const { unmount } = await open();
      expect(await name('А 7 АА')).toBeVisible();
      expect(log.mock.calls.map(([error]) => error.message)).toEqual([
        `The settings of bus 7 cannot be read: ${config}`,
      ]);
      unmount();
    }
    log.mockClear();
    serve({ config: '{"unknown":1}' });
    await open();
    expect(await name('А 7 АА')).toBeVisible();
    expect(log).not.toHaveBeenCalled();
  });

  it('has the device id for administrators alone', async () => {
    serve({ group_device_id: 'RW-7' });
    await open('/bus/7', { user: admin });
    expect(await screen.findByRole('button', { name: 'Copy RW-7' })).toBeVisible();
  });

  it('leads on a phone back to the list', async () => {
    const { hand, address } = await open('/bus/7', { device: 'phone' });
    await name('А 7 АА');
    await hand.click(screen.getByRole('button', { name: 'Back' }));
    await waitFor(() => expect(address()).not.toContain('/bus/7'));
  });
});

describe("the tabs of a bus's page", () => {
  it('are those that the bus has', async () => {
    serve({ cameras: [camera(1), serviceCamera(9)], gps_trackable: true });
    await open();
    await name('А 7 АА');
    expect(tabNames()).toEqual(['Count', 'Cabin', 'GPS', 'Route']);
  });

  it('open with the cabin when no camera looks at a door', async () => {
    serve({ cameras: [serviceCamera(9)], gps_trackable: false });
    server.answer(listPeriods, page([]));
    const { address, hand } = await open();
    await name('А 7 АА');
    await waitFor(() => expect(address()).toContain('/bus/7/service'));
    // The count tab exists at an address of its own.
    await hand.click(screen.getByRole('link', { name: 'Count' }));
    await waitFor(() => expect(address()).toMatch(/\/bus\/7\?part=count$/));
  });

  it('lead to the count where the address names one that the bus does not have', async () => {
    serve({ gps_trackable: false });
    const { address } = await open('/bus/7/gps');
    await name('А 7 АА');
    await waitFor(() => expect(address()).toMatch(/\/bus\/7$/));
  });

  it('keep the day, and leave what was chosen within another tab', async () => {
    const { address, hand } = await open(`/bus/7?date=${YESTERDAY}&fragment=1&camera=1`);
    await name('А 7 АА');
    await hand.click(screen.getByRole('link', { name: 'GPS' }));
    await waitFor(() => expect(address()).toMatch(/\/bus\/7\/gps\?date=2026-03-09$/));
  });
});

describe('from bus to bus', () => {
  it('the arrows go around the buses of the customer, in the same tab', async () => {
    const { hand, address } = await open('/bus/7/gps');
    await name('А 7 АА');
    await hand.click(await screen.findByRole('link', { name: 'Next bus: А 8 АА' }));
    expect(await name('А 8 АА')).toBeVisible();
    expect(address()).toMatch(/\/bus\/8\/gps$/);
    await hand.click(await screen.findByRole('link', { name: 'Previous bus: А 7 АА' }));
    expect(await name('А 7 АА')).toBeVisible();
    await hand.click(await screen.findByRole('link', { name: 'Previous bus: А 9 АА' }));
    expect(await name('А 9 АА')).toBeVisible();
  });

  it('a wide screen has the list beside the page, with a search', async () => {
    const { hand } = await open('/bus/7', { device: 'wide' });
    const side = await screen.findByRole('complementary', { name: 'List of buses' });
    await within(side).findByRole('link', { name: 'А 8 АА' });
    await hand.keyboard('[Slash]');
    const search = within(side).getByRole('searchbox', { name: 'Bus or camera' });
    await waitFor(() => expect(search).toHaveFocus());
    await hand.keyboard('9');
    expect(within(side).queryByRole('link', { name: 'А 8 АА' })).not.toBeInTheDocument();
    await hand.keyboard('99');
    expect(within(side).getByText('Nothing found.')).toBeVisible();
  });

  it('the list and its search have the buses of all customers, the arrows those of one', async () => {
    const customers = [customer(20, 'Север'), customer(21, 'Юг')];
    const far = bus(50, { clients: [21], name: 'Б 50 ББ' });
    server.answer(listBuses, busList([bus(7), bus(8), far], customers));
    const { hand, address } = await open('/bus/7', { device: 'wide', user: admin });
    const side = await screen.findByRole('complementary', { name: 'List of buses' });
    expect(await within(side).findByRole('heading', { name: 'Юг' })).toBeVisible();
    await hand.type(within(side).getByRole('searchbox'), '50');
    const found = await within(side).findByRole('link', { name: 'Б 50 ББ' });
    await waitFor(() => expect(within(side).getAllByRole('link')).toEqual([found]));
    expect(await screen.findByRole('link', { name: 'Next bus: А 8 АА' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Previous bus: А 8 АА' })).toBeVisible();
    await hand.click(found);
    await waitFor(() => expect(address()).toMatch(/\/bus\/50$/));
    expect(screen.queryByRole('link', { name: /^(Next|Previous) bus/ })).not.toBeInTheDocument();
  });

  it('the list of thousands of buses renders those in sight', async () => {
    const buses = Array.from({ length: 5_000 }, (_, at) => bus(at + 1));
    server.answer(listBuses, busList(buses));
    await open('/bus/7', { device: 'wide' });
    const side = await screen.findByRole('complementary', { name: 'List of buses' });
    expect(await within(side).findByRole('link', { name: 'А 7 АА' })).toHaveAttribute(
      'aria-current',
      'page',
    );
    expect(within(side).getAllByRole('link').length).toBeLessThan(60);
  });

  it('the list beside the page folds away and stays so', async () => {
    const { hand, unmount } = await open('/bus/7', { device: 'wide' });
    await hand.click(await screen.findByRole('button', { name: 'Collapse the list' }));
    expect(screen.queryByRole('searchbox')).not.toBeInTheDocument();
    unmount();
    await open('/bus/7', { device: 'wide' });
    expect(await screen.findByRole('button', { name: 'Show the bus list' })).toBeVisible();
  });

  it('a narrower screen stays where it is with the key /, which its help leaves out', async () => {
    const { hand, address } = await open(`/bus/7?date=${YESTERDAY}&fragment=1`);
    await name('А 7 АА');
    const before = address();
    await hand.keyboard('[Slash]');
    await hand.keyboard('{Shift>}[Slash]{/Shift}');
    const help = await screen.findByRole('dialog', { name: 'Keys' });
    expect(within(help).getByText('previous / next day')).toBeVisible();
    expect(within(help).queryByText('search a bus')).not.toBeInTheDocument();
    expect(address()).toBe(before);
  });
});

describe("the day of a bus's page", () => {
  const day = () => screen.getByRole('button', { name: /Choose a day/ });

  it('is today, in the zone of the bus, and goes no further', async () => {
    await open();
    await name('А 7 АА');
    expect(day()).toHaveTextContent('Tue, 10.03.2026');
    expect(screen.getByRole('button', { name: 'Next day' })).toBeDisabled();
  });

  it('goes a day back and forth, and stands in the address unless it is today', async () => {
    const { hand, address } = await open();
    await name('А 7 АА');
    await hand.click(screen.getByRole('button', { name: 'Previous day' }));
    await waitFor(() => expect(address()).toContain(`date=${YESTERDAY}`));
    await waitFor(() => expect(day()).toHaveTextContent('Mon, 09.03.2026'));
    await hand.click(screen.getByRole('button', { name: 'Next day' }));
    await waitFor(() => expect(address()).toMatch(/\/bus\/7$/));
  });

  it('is the latest one with data while today has none; today is a press away', async () => {
    server.answer(findBusInfo, ({ query }) =>
      busInfo({ latest_day: YESTERDAY, date: query.get('date') ?? TODAY }),
    );
    const { hand, address } = await open('/bus/7/gps');
    await waitFor(() => expect(day()).toHaveTextContent('Mon, 09.03.2026'));
    expect(address()).toMatch(/\/bus\/7\/gps\?date=2026-03-09$/);
    await hand.click(screen.getByRole('button', { name: 'Next day' }));
    await waitFor(() => expect(day()).toHaveTextContent('Tue, 10.03.2026'));
    expect(address()).toContain(`date=${TODAY}`);
  });

  it('is today for the settings of the route, whatever happened', async () => {
    serve({ latest_day: YESTERDAY });
    const { address } = await open('/bus/7/route');
    await name('А 7 АА');
    expect(day()).toHaveTextContent('Tue, 10.03.2026');
    expect(address()).not.toContain('date=');
  });

  it('keeps the plate, the tabs and the date while it cannot be loaded', async () => {
    const { hand } = await open(`/bus/7?date=${YESTERDAY}`);
    await name('А 7 АА');
    server.setLink(false);
    await hand.click(screen.getByRole('button', { name: 'Previous day' }));
    await waitFor(() => expect(screen.getByText('The day could not be loaded')).toBeVisible());
    expect(await name('А 7 АА')).toBeVisible();
    expect(tabNames()).toEqual(['Count', 'GPS', 'Route']);
    expect(day()).toHaveTextContent('Sun, 08.03.2026');
    // The tools stay, too, and say why they cannot be used.
    const merge = screen.getByRole('button', { name: 'Merge video' });
    expect(merge).toHaveAttribute('aria-disabled', 'true');
    await hand.click(merge);
    expect(await screen.findByText(/^The day has to be loaded first/)).toBeVisible();
    server.setLink(true);
    await hand.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('region', { name: '1 fragment' })).toBeVisible();
    expect(day()).toHaveTextContent('Sun, 08.03.2026');
  });

  it('is chosen from a month', async () => {
    const { hand, address } = await open();
    await name('А 7 АА');
    await hand.click(day());
    const month = await screen.findByRole('dialog', { name: /Choose a day/ });
    expect(within(month).getByText('March 2026')).toBeVisible();
    expect(within(month).getByRole('button', { name: '11 March 2026' })).toBeDisabled();
    await hand.click(within(month).getByRole('button', { name: 'Previous month' }));
    await hand.click(within(month).getByRole('button', { name: '14 February 2026' }));
    await waitFor(() => expect(address()).toContain('date=2026-02-14'));
  });

  it('clears what was chosen within the day, and keeps what holds on every day', async () => {
    const { hand, address } = await open(`/bus/7?date=${YESTERDAY}&fragment=1&t=3.0&camera=1`);
    await name('А 7 АА');
    await hand.click(screen.getByRole('button', { name: 'Previous day' }));
    await waitFor(() => expect(address()).toContain('date=2026-03-08'));
    expect(address()).toContain('camera=1');
    expect(address()).not.toMatch(/fragment|[?&]t=/);
  });

  it.each(['2026-03-11', '2026-02-30', 'yesterday'])(
    '%s is none: the tab opens on today',
    async (wrong) => {
      server.answer(findBusInfo, ({ query }) =>
        query.get('date') === '2026-02-30'
          ? refusal('invalid_request')
          : busInfo({ date: query.get('date') ?? TODAY }),
      );
      const { address } = await open(`/bus/7/gps?date=${wrong}`);
      await waitFor(() => expect(address()).toMatch(/\/bus\/7\/gps$/));
    },
  );
});

describe("the tools of a bus's page", () => {
  it('merge video of the shown day', async () => {
    server.answer(listPeriods, page([fragment(1, '08:00')]));
    const { hand } = await open();
    await name('А 7 АА');
    await hand.click(screen.getByRole('button', { name: 'Merge video' }));
    const dialog = await screen.findByRole('dialog', { name: 'Merge video' });
    expect(dialog).toHaveTextContent('10.03.2026');
    await hand.click(within(dialog).getByRole('button', { name: 'Close' }));
    expect(dialog).not.toBeInTheDocument();
  });

  it('recalculate for administrators alone', async () => {
    server.answer(findRecalculation, { recalculation: null });
    const { hand, unmount } = await open('/bus/7', { user: admin });
    await name('А 7 АА');
    await hand.click(screen.getByRole('button', { name: 'Recalculate' }));
    expect(await screen.findByText('Manual counts are kept.')).toBeVisible();
    unmount();
    await open();
    await name('А 7 АА');
    expect(screen.queryByRole('button', { name: 'Recalculate' })).not.toBeInTheDocument();
  });

  it('are not there where the bus has no cameras', async () => {
    serve({ cameras: [] });
    await open('/bus/7', { user: admin });
    await name('А 7 АА');
    expect(screen.queryByRole('button', { name: 'Merge video' })).not.toBeInTheDocument();
  });
});
