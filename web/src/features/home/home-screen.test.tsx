import { listBuses } from '@ridewatch/contract/buses';
import { type AttentionRow, findHome, listMapRoutes, listPlaces } from '@ridewatch/contract/home';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { at, bus, busList, customer, owner, page } from '../../test/made.ts';
import { group, home } from '../../test/made-home.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import { type FakeServer, refusal } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(findHome, home());
  server.answer(listPlaces, page([]));
  server.answer(listMapRoutes, page([]));
  server.answer(listBuses, busList([bus(1)]));
});
const open = (more: Parameters<typeof openScreen>[2] = {}, address = '/') =>
  openScreen(server, address, more);
const figures = async () =>
  within(await screen.findByRole('region', { name: 'Figures of the day' }));
const attention = async () =>
  within(await screen.findByRole('region', { name: 'Needs attention' }));
const row = (details: AttentionRow['details'], more: Partial<AttentionRow> = {}): AttentionRow => ({
  details,
  since: null,
  workplace: { id: 7, name: 'А 7 АА', route: '156', timezone: 'Europe/Moscow' },
  camera: null,
  ...more,
});

describe('the figures of the day', () => {
  it('stand beside those of last week, and each leads to its source', async () => {
    await open();
    expect(await screen.findByRole('heading', { name: 'Today, Tuesday 10 March' })).toBeVisible();
    expect(screen.getByText('at 15:00 Moscow time, against Tue 03.03 at this hour')).toBeVisible();
    const links = (await figures()).getAllByRole('link');
    const said = links.map((link) => [
      link.textContent?.replace(/\s+/g, ' '),
      link.getAttribute('href'),
    ]);
    const stats = '/stats?period=date&from=2026-03-10&key=';
    expect(said).toEqual([
      ['Entered1 050▲ 5 % was 1 000', `${stats}entered&buses=all&until=now`],
      ['Exited900▼ 10 % was 1 000', `${stats}exited&buses=all&until=now`],
      ['Revenue1 234,50 ₽▲ 23,5 % was 1 000,00 ₽', `${stats}fare&buses=all&until=now`],
      ['Inside now20 was 025 % of places', '/buses?sort=inside'],
      ['Buses 3', '/buses'],
      ['1 moving', '/buses?show=moving'],
      ['1 standing', '/buses?show=standing'],
      ['1 silent', '/buses?show=silent'],
      ['Waiting for review03 reviewed todayReview', '/review'],
    ]);
  });

  it('are of the day of their buses, and say so where these are in several zones', async () => {
    const vladivostok = {
      ...{ timezone: 'Asia/Vladivostok', day: '2026-03-11', before_day: '2026-03-04' },
      made_at: '2026-03-10T14:30:00.000Z',
      hours: { ...home().hours, entered: [5] },
    };
    server.answer(findHome, home(vladivostok));
    await open();
    expect(await screen.findByRole('heading', { name: 'Today, Wednesday 11 March' })).toBeVisible();
    expect(screen.getByText('at 00:30 UTC+10, against Wed 04.03 at this hour')).toBeVisible();
    expect(screen.queryByText(/own local time/)).not.toBeInTheDocument();
    const [entered] = (await figures()).getAllByRole('link');
    expect(entered).toHaveAttribute(
      'href',
      '/stats?period=date&from=2026-03-11&key=entered&buses=all&until=now',
    );
    const hours = within(screen.getByRole('region', { name: 'By hour' }));
    expect(hours.getByText('00', { selector: 'small' }).parentElement).toHaveAttribute(
      'data-running',
    );
  });

  it.each(['desktop', 'phone'] as const)(
    'say on a %s that their buses are in several zones',
    async (device) => {
      server.answer(findHome, home({ timezone: 'Europe/Berlin', zones: 2 }));
      await open({ device });
      expect(await screen.findByText(/^(at )?13:00 UTC\+1\b/)).toBeVisible();
      expect(screen.getByText('Each bus counts by its own local time.')).toBeVisible();
    },
  );

  it('name no day until it is known', async () => {
    server.refuse(findHome, 'internal');
    await open();
    expect(await screen.findByRole('heading', { name: 'Home' })).toBeVisible();
    expect(screen.queryByText(/^Today/)).not.toBeInTheDocument();
  });

  it('name the buses that are off beside those in service', async () => {
    server.answer(findHome, home({ buses: { moving: 1, standing: 0, silent: 0, off: 2 } }));
    await open();
    const off = (await figures()).getByRole('link', { name: '2 off' });
    expect(off).toHaveAttribute('href', '/buses?show=off');
    expect((await figures()).getByRole('link', { name: 'Buses 3' })).toBeVisible();
  });

  it('leave out the review for who may not edit', async () => {
    server.answer(findHome, home({ review: { waiting: 5, oldest: at('08:00'), reviewed: 0 } }));
    await open({ user: { ...owner, can_edit: false } });
    expect((await figures()).queryByText('Waiting for review')).not.toBeInTheDocument();
    expect(screen.queryByText('5 fragments')).not.toBeInTheDocument();
  });

  it('fit their cells however long they are', async () => {
    server.answer(findHome, home({ revenue: { now: '6412745.50', before: '6101556.00' } }));
    await open();
    const revenue = (await figures()).getByText('6 412 745,50 ₽', { exact: false });
    expect(revenue.style.getPropertyValue('--letters')).toBe('14');
  });

  it('say which buses they lack while hours are recounted', async () => {
    server.answer(findHome, home({ incomplete: 2 }));
    await open();
    expect(await screen.findByText(/figures of 2 buses are not complete yet/)).toBeVisible();
    const ofPart = (await figures()).getAllByText('1 of 3', { exact: false });
    expect(ofPart.map((part) => part.closest('a')?.textContent)).toEqual([
      expect.stringContaining('Entered'),
      expect.stringContaining('Exited'),
      expect.stringContaining('Revenue'),
    ]);
  });

  it('say that they did not load, and load when they are asked again', async () => {
    server.refuse(findHome, 'internal');
    const { hand } = await open();
    const failed = await screen.findByText('The figures of the day did not load.');
    expect(failed).toBeVisible();
    server.answer(findHome, home());
    await hand.click(screen.getByRole('button', { name: 'Try again' }));
    expect((await figures()).getByText('1 050')).toBeVisible();
  });

  it('say of a lost connection that there is none', async () => {
    server.setLink(false);
    await open();
    const main = within(await screen.findByRole('main'));
    expect(await main.findByText(/^No connection to the server/)).toBeVisible();
    expect(main.getByRole('button', { name: 'Try again' })).toBeVisible();
    expect(screen.queryByText(/did not load/)).not.toBeInTheDocument();
  });

  it('of an installation without buses say so', async () => {
    server.answer(findHome, home({ buses: { moving: 0, standing: 0, silent: 0, off: 0 } }));
    await open();
    expect(await screen.findByText('No buses yet')).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Needs attention' })).not.toBeInTheDocument();
  });

  it('of an installation without buses say so above what needs attention all the same', async () => {
    const ends = row(
      { kind: 'runs_out', what: 'api_key', name: 'Табло', days: 2 },
      { workplace: null },
    );
    server.answer(
      findHome,
      home({
        buses: { moving: 0, standing: 0, silent: 0, off: 0 },
        attention: { faulty: group([ends]), money: group(), line: group() },
      }),
    );
    await open();
    expect(await screen.findByText('No buses yet')).toBeVisible();
    expect((await attention()).getByRole('listitem')).toHaveTextContent(/“Табло”: in 2 days/);
  });
});

describe('what needs attention first', () => {
  it('comes in three groups, each row with its bus and where it leads', async () => {
    server.answer(
      findHome,
      home({
        review: { waiting: 37, oldest: at('08:04'), reviewed: 0 },
        attention: {
          faulty: group([
            row({ kind: 'silent_bus', drove: true, place: 'Рынок' }, { since: at('14:48') }),
          ]),
          money: group([
            row({ kind: 'no_price', passengers: 3 }),
            row({ kind: 'low_revenue', percent: 31, now: '690.00', before: '1000.00' }),
            row({ kind: 'no_salary', was: '18.00' }),
          ]),
          line: group([
            row({ kind: 'full', inside: 61, places: 68, stop: 'Вокзал' }),
            row({ kind: 'standing', stop: null }, { since: at('14:40') }),
          ]),
        },
      }),
    );
    await open();
    const list = await attention();
    const groups = list.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
    expect(groups).toEqual(['Faulty 1', 'Money and counts 4', 'On the road 2']);
    const rows = list
      .getAllByRole('listitem')
      .map((item) => [
        item.textContent?.replace(/\s+/g, ' '),
        within(item).getByRole('link').getAttribute('href'),
      ]);
    expect(rows).toEqual([
      ['А 7 АА 156has sent nothing for 12 min, last near Рынок14:48', '/bus/7'],
      ['А 7 АА 1563 trips without a price: revenue is too low', '/bus/7'],
      ['А 7 АА 156revenue is 31 % lower than a week ago: 690,00 ₽ against 1 000,00 ₽', '/bus/7'],
      ['А 7 АА 156salary 0 %, 18 % before', '/bus/7'],
      ['37 fragmentswaiting for review, the oldest: 10.03 08:04', '/review'],
      ['А 7 АА 156full: 61 of 68 places, → Вокзал', '/bus/7/gps'],
      ['А 7 АА 156stands on its lap for 20 min14:40', '/bus/7/gps'],
    ]);
    expect(list.getByRole('link', { name: 'to the list' })).toHaveAttribute(
      'href',
      '/buses?show=attention',
    );
  });

  it('says how many rows it leaves out', async () => {
    const silent = row({ kind: 'silent_bus', drove: true, place: null });
    server.answer(
      findHome,
      home({ attention: { faulty: group([silent], 1000), money: group(), line: group() } }),
    );
    await open();
    expect((await attention()).getByText('and 999 more')).toBeVisible();
  });

  it('is calm where nothing needs attention', async () => {
    await open();
    expect((await attention()).getByText(/All is well/)).toBeVisible();
  });

  it('shows the first rows on a phone, and all when asked', async () => {
    const unpriced = Array.from({ length: 9 }, (_, index) =>
      row({ kind: 'no_price', passengers: index + 1 }),
    );
    server.answer(
      findHome,
      home({ attention: { faulty: group(), money: group(unpriced), line: group() } }),
    );
    const { hand } = await open({ device: 'phone' });
    const list = await attention();
    expect(list.getAllByRole('listitem')).toHaveLength(6);
    await hand.click(list.getByRole('button', { name: 'all' }));
    expect(list.getAllByRole('listitem')).toHaveLength(9);
  });
});

describe('the customer of the day', () => {
  const customers = [
    { id: 20, name: 'Иван', surname: 'Петров', buses: 2 },
    { id: 21, name: 'Мария', surname: null, buses: 1 },
  ];

  it('is chosen by who sees several; figures and links are then of that customer', async () => {
    server.answer(findHome, ({ query }) =>
      query.get('clientId') === '20'
        ? home({
            customers,
            bus_ids: [3, 4, 5, 9],
            buses: { moving: 2, standing: 0, silent: 0, off: 0 },
          })
        : home({ customers }),
    );
    server.answer(listBuses, busList([bus(1)], [customer(20, 'Иван')]));
    const { hand, address } = await open();
    await hand.click(
      await screen.findByRole('button', { name: 'Whose day: All customers 3 buses' }),
    );
    await hand.click(await screen.findByRole('link', { name: 'Иван Петров 2' }));
    expect(
      await screen.findByRole('button', { name: 'Whose day: Иван Петров 2 buses' }),
    ).toBeVisible();
    expect(address()).toMatch(/\/\?customer=20$/);
    const links = (await figures()).getAllByRole('link');
    expect(links[0]).toHaveAttribute(
      'href',
      '/stats?period=date&from=2026-03-10&key=entered&buses=3-5.9&until=now',
    );
    expect(links[5]).toHaveAttribute('href', '/buses?show=moving&customer=20');
    expect(links.at(-1)).toHaveAttribute('href', '/review?customer=20');
  });

  it('is read at once when the address names one, without the figures of all', async () => {
    const asked: (string | null)[] = [];
    server.answer(findHome, ({ query }) => {
      asked.push(query.get('clientId'));
      return home({ customers });
    });
    await open({}, '/?customer=20');
    await figures();
    expect(asked).toEqual(['20']);
  });

  it('that the user may not see leads back to all', async () => {
    server.answer(findHome, ({ query }) =>
      query.has('clientId') ? refusal('not_found') : home({ customers }),
    );
    const { hand, address } = await open({}, '/?customer=99');
    await hand.click(await screen.findByRole('button', { name: 'All customers' }));
    expect((await figures()).getByText('1 050')).toBeVisible();
    expect(new URL(address()).search).toBe('');
  });

  it('is not asked of who sees one', async () => {
    await open();
    await figures();
    expect(screen.queryByRole('button', { name: /Whose day/ })).not.toBeInTheDocument();
  });
});

describe('the hours of the day', () => {
  it('show who entered or exited beside last week, as a table, too', async () => {
    const { hand, address } = await open();
    const card = within(await screen.findByRole('region', { name: 'By hour' }));
    const cellsOf = (hour: string) =>
      within(card.getByRole('row', { name: new RegExp(`^${hour}:00`) }))
        .getAllByRole('cell')
        .map(({ textContent }) => textContent?.replace(/\s+/g, ' '));
    expect(cellsOf('08')).toEqual(['650', '500']);
    await hand.click(card.getByRole('button', { name: 'Exited' }));
    expect(cellsOf('08')).toEqual(['600', '500']);
    expect(address()).toMatch(/\?key=exited$/);
    await hand.click(card.getByRole('button', { name: 'Revenue' }));
    expect(cellsOf('08')).toEqual(['800,00 ₽', '0,00 ₽']);
    expect(address()).toMatch(/\?key=revenue$/);
  });

  it('say what an hour brought with the keyboard, and hide it with Escape', async () => {
    const { hand } = await open();
    const card = within(await screen.findByRole('region', { name: 'By hour' }));
    const chart = card.getByRole('slider', { name: 'By hour' });
    chart.focus();
    await hand.keyboard('{End}{ArrowLeft}');
    expect(chart).toHaveAttribute(
      'aria-valuetext',
      expect.stringMatching(/^22:00–23:00: today \d/i),
    );
    expect(card.getByRole('heading').parentElement).toHaveTextContent('22:00–23:00');
    await hand.keyboard('{Escape}');
    expect(card.getByRole('heading').parentElement).not.toHaveTextContent('22:00');
  });

  it('say what an hour brought when it is pointed at, with a finger as long as it stays the last one', async () => {
    const { hand } = await open();
    const card = within(await screen.findByRole('region', { name: 'By hour' }));
    const eight = card.getByText('08', { selector: 'small' }).parentElement as HTMLElement;
    await hand.pointer({ keys: '[TouchA]', target: eight });
    const head = card.getByRole('heading').parentElement;
    expect(head).toHaveTextContent(/08:00–09:00.*650.*500/);
    await hand.pointer({ target: eight });
    await hand.pointer({ target: document.body });
    expect(head).not.toHaveTextContent('08:00');
  });
});
