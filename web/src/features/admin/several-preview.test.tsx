// The question before several rows change: which ones, from what to what, and from when on.
import { listAdminBuses } from '@ridewatch/contract/admin-buses';
import { listCameras } from '@ridewatch/contract/admin-cameras';
import { listCustomers } from '@ridewatch/contract/admin-customers';
import { listGroups } from '@ridewatch/contract/admin-groups';
import type { AdminSection } from '@ridewatch/contract/admin-sections';
import {
  changeBuses,
  changeCameras,
  changeCustomers,
  changeRetentions,
  changeUnits,
  changeUsers,
} from '@ridewatch/contract/admin-several';
import { listUnits } from '@ridewatch/contract/admin-units';
import { listUsers } from '@ridewatch/contract/admin-users';
import type { ResponseOf } from '@ridewatch/contract/endpoint';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { madeUnit } from '../../test/admin-unit.ts';
import { page } from '../../test/made.ts';
import {
  anna,
  answerFleet,
  ivan,
  madeBus,
  madeCamera,
  madeCustomer,
  madeRoute,
  madeUser,
  openSection,
} from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';
import { en } from './several-texts-en.ts';
import { ru } from './several-texts-ru.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
  const buses = [1, 2, 3].map((id) => ({ ...madeBus, id, name: `А ${id}`, clients: [anna] }));
  server.answer(listAdminBuses, page(buses));
});

/** Chooses all rows of a section and opens one of its actions. */
async function begin(section: AdminSection, action: string) {
  const { hand } = await openSection(server, section);
  await hand.click(await screen.findByRole('checkbox', { name: 'Choose all rows' }));
  const bar = within(await screen.findByRole('region', { name: /chosen rows/ }));
  await hand.click(bar.getByRole('button', { name: action }));
  const dialog = within(await screen.findByRole('dialog'));
  return {
    hand,
    choose: async (label: string, option: string) => {
      await hand.click(await dialog.findByLabelText(label));
      await hand.click(await dialog.findByRole('option', { name: option }));
    },
    /** @returns the question */
    next: async () => {
      await hand.click(dialog.getByRole('button', { name: 'Next' }));
      await screen.findByRole('button', { name: /^Change \d/ });
      return within(await screen.findByRole('dialog'));
    },
  };
}
const linesIn = (question: Pick<typeof screen, 'getAllByRole'>) =>
  question.getAllByRole('listitem').map((line) => line.textContent);

describe('the question before several rows change', () => {
  it('names the new route, that of each bus until then, and the day', async () => {
    server.answer(listGroups, page([{ ...madeRoute, name: '157' }]));
    server.answer(changeBuses, {
      ...{ changed: 2, changed_ids: [1, 2] },
      former_routes: [
        { id: 1, route: { id: 9, name: '156' } },
        { id: 2, route: null },
      ],
    });
    const { choose, next } = await begin('buses', 'Route from a day on');
    await choose('Route', '157');
    const question = await next();
    expect(question.getByRole('status')).toHaveTextContent('2 of 3 rows change');
    expect(linesIn(question)).toEqual([
      'А 1 · Анна: 156 → 157, from 10.03.2026',
      'А 2 · Анна: no route → 157, from 10.03.2026',
    ]);
  });

  it('tells apart routes of one name of several customers', async () => {
    const buses = [anna, ivan].map((one) => ({ ...madeBus, id: one.id, clients: [one] }));
    server.answer(listAdminBuses, page(buses));
    server.answer(listGroups, ({ query }) => {
      const client = query.get('clientId') === '1' ? anna : ivan;
      return page([{ ...madeRoute, id: client.id + 10, name: '156к', client }]);
    });
    server.answer(changeBuses, { changed: 1, changed_ids: [2], former_routes: [] });
    const { choose, next } = await begin('buses', 'Route from a day on');
    await choose('Route', '156к · Иван');
    expect(linesIn(await next())).toEqual([
      'А 472 КМ · Иван: no route → 156к · Иван, from 10.03.2026',
    ]);
    expect(server.asked(changeBuses)[0]?.body).toMatchObject({ change: { group_id: 12 } });
  });

  it('says that buses lose their route', async () => {
    server.answer(changeBuses, {
      ...{ changed: 1, changed_ids: [1] },
      former_routes: [{ id: 1, route: { id: 9, name: '156' } }],
    });
    const { next } = await begin('buses', 'Route from a day on');
    expect(linesIn(await next())).toEqual(['А 1 · Анна: 156 → no route, from 10.03.2026']);
  });

  /** The question of a hand-over to Иван. */
  const handOver = async (former: ResponseOf<typeof changeBuses>['former_clients']) => {
    const ids = (former ?? []).map(({ id }) => id);
    server.answer(changeBuses, {
      ...{ changed: ids.length, changed_ids: ids, refused: [], former_clients: former },
    });
    const { choose, next } = await begin('buses', 'Give to a customer');
    expect(await screen.findByText(/from tomorrow on; today and past days stay/)).toBeVisible();
    await choose('Customer', 'Иван');
    return next();
  };
  const boris = { id: 5, name: 'Борис' };
  const from = '2026-03-11';

  it('names the new customer, its first day, those until then, and that their route and fare end', async () => {
    // The row that was chosen says Анна.
    const clients = [boris, { id: 6, name: 'Вера' }];
    const question = await handOver([
      { id: 3, clients, from, route_ends: true, fare_ends: true, owners: [] },
      {
        id: 1,
        clients: [boris],
        from: '2026-03-12',
        route_ends: true,
        fare_ends: true,
        owners: [],
      },
    ]);
    expect(linesIn(question)).toEqual([
      'А 3: Борис, Вера → Иван, from 11.03.2026',
      'А 1: Борис → Иван, from 12.03.2026',
    ]);
    expect(
      question.getByText(/^The days before that stay with the former customers/),
    ).toBeVisible();
    expect(
      question.getByText('The route of the former customer ends before that day: set a new one.'),
    ).toBeVisible();
    expect(
      question.getByText(/^From that day on the fare and the driver's percent are zero/),
    ).toBeVisible();
  });

  it('says how many buses lose route and fare, and which pass with all of their days', async () => {
    const question = await handOver([
      { id: 3, clients: [boris], from, route_ends: true, fare_ends: false, owners: [] },
      { id: 2, clients: [boris], from: null, route_ends: false, fare_ends: false, owners: [] },
    ]);
    expect(linesIn(question)).toEqual([
      'А 3: Борис → Иван, from 11.03.2026',
      'А 2: Борис → Иван, all days',
    ]);
    expect(
      question.getByText(/all days go to the new customer \(buses: 1 of 2\)\.$/),
    ).toBeVisible();
    expect(question.getByText(/^The route .* set a new one \(buses: 1 of 2\)\.$/)).toBeVisible();
    expect(question.queryByText(/fare/)).not.toBeInTheDocument();
  });

  it.each([
    ['a day to come', '2026-03-11', 'Nothing changes before 11.03.2026.', /laps|Past/],
    ['today', '2026-03-10', /laps are worked out anew\. Past days do not change\.$/, /revenue/],
    ['a past day', '2026-03-05', /^Past days change, too, from 05\.03\.2026 on/, /do not change/],
  ] as const)('of a route from %s says which days change', async (_, day, said, unsaid) => {
    server.answer(changeBuses, {
      ...{ changed: 1, changed_ids: [1], refused: [] },
      former_routes: [{ id: 1, route: null }],
    });
    const { hand, next } = await begin('buses', 'Route from a day on');
    await hand.click(await screen.findByRole('button', { name: /^Valid from: / }));
    const name = `${Number(day.slice(-2))} March 2026`;
    await hand.click(await screen.findByRole('button', { name }));
    const question = await next();
    expect(server.asked(changeBuses)[0]?.body.change).toMatchObject({ valid_from: day });
    expect(question.getByText(said)).toBeVisible();
    expect(question.queryByText(unsaid)).not.toBeInTheDocument();
  });

  const ids = { changed: 2, changed_ids: [1, 2], refused: [] };

  it.each([
    ['users', 'Disable', /^Their sessions end at once, and they cannot sign in/],
    ['users', 'Enable', /^They can sign in again/],
    ['customers', 'Disable', /lose access at once/],
    ['customers', 'Enable', /^Users of these customers can sign in again/],
    ['units', 'Disable the units', /^The server takes nothing that the units send/],
    ['units', 'Enable the units', /^The server takes again what the units send/],
    ['cameras', 'Do not use', /^Nobody can fetch video from them or watch them live/],
    ['cameras', 'Use the cameras', /^Their video can be fetched and watched live again/],
    ['buses', 'Take out of the fleet', /^The buses leave the lists/],
  ] as const)('of %s says what to %s them leads to', async (section, action, said) => {
    server.answer(listCustomers, page([madeCustomer]));
    for (const endpoint of [changeUsers, changeCustomers, changeUnits, changeCameras, changeBuses])
      server.answer(endpoint, ids);
    await begin(section, action);
    expect(await within(await screen.findByRole('dialog')).findByText(said)).toBeVisible();
  });

  it('of buses that return to the fleet says that the lists have them again', async () => {
    const retired = { ...madeBus, retired_at: '2026-03-01T00:00:00Z' };
    server.answer(listAdminBuses, page([{ ...retired, id: 1 }]));
    server.answer(changeBuses, { ...ids, changed: 1, changed_ids: [1] });
    await begin('buses', 'Return to the fleet');
    const question = within(await screen.findByRole('dialog'));
    expect(await question.findByText(/^The buses are in the lists again/)).toBeVisible();
  });

  it.each([
    ['cameras', 'Do not use', ['Дверь 1 · А 1', 'Дверь 1 · А 2']],
    ['units', 'Disable the units', ['RW-1 · А 1', 'RW-2 · Анна']],
    ['users', 'Disable', ['admin2', 'petrov · Анна']],
    ['buses', 'Take out of the fleet', ['А 1 · Анна', 'А 2 · Анна']],
  ] as const)(
    'names %s so that rows of one name are told apart',
    async (section, action, lines) => {
      const at = (id: number) => ({ id, name: `А ${id}` });
      const doors = [1, 2].map((id) => ({ ...madeCamera, id, name: 'Дверь 1', bus: at(id) }));
      server.answer(listCameras, page(doors));
      const spare = { ...madeUnit, id: 2, device_id: 'RW-2', bus: null, client: anna };
      server.answer(listUnits, page([{ ...spare, id: 1, device_id: 'RW-1', bus: at(1) }, spare]));
      const first = { ...madeUser, id: 1, login: 'admin2', client: null };
      server.answer(listUsers, page([first, { ...madeUser, id: 2 }]));
      for (const endpoint of [changeUsers, changeUnits, changeCameras, changeBuses])
        server.answer(endpoint, ids);
      await begin(section, action);
      const question = within(await screen.findByRole('dialog'));
      await question.findByRole('button', { name: 'Change 2 rows' });
      expect(linesIn(question)).toEqual(lines);
    },
  );

  it('names the days of retention of each customer that change, and those until then', async () => {
    const [first, second] = [
      { ...madeCustomer, id: 1 },
      { ...madeCustomer, id: 2, name: 'Иван' },
    ];
    server.answer(listCustomers, page([first, second]));
    server.answer(changeRetentions, {
      ...{ changed: 2, changed_ids: [1, 2] },
      former_days: {
        customers: [
          { id: 1, video_days: 60, files_days: null, positions_days: 365 },
          { id: 2, video_days: null, files_days: 7, positions_days: 30 },
        ],
        defaults: { video_days: 90, files_days: 14, positions_days: 730 },
      },
    });
    const { hand, next } = await begin('customers', 'Retention');
    await hand.type(await screen.findByLabelText('Video'), '45');
    await hand.type(await screen.findByLabelText('Positions'), '30');
    const question = await next();
    expect(linesIn(question)).toEqual([
      'Анна: Video 60 → 45, Positions 365 → 30',
      'Иван: Video 90 by default → 45',
    ]);
    expect(question.getByText('Data older than that is deleted in the next night.')).toBeVisible();
  });
});

describe('what would change is said in words that fit the number', () => {
  it.each([
    [1, 1, 'Изменится выбранная строка', 'The chosen row changes'],
    [2, 2, 'Изменятся все выбранные: 2', 'All 2 chosen rows change'],
    [
      ...[1, 3],
      ...['Изменится 1 строка из 3, остальные такие и есть'],
      ...['1 of 3 rows changes, the others are like that already'],
    ],
    [
      ...[2, 3],
      ...['Изменятся 2 строки из 3, ещё одна такая и есть'],
      ...['2 of 3 rows change, the other one is like that already'],
    ],
    [
      ...[5, 8],
      ...['Изменятся 5 строк из 8, остальные такие и есть'],
      ...['5 of 8 rows change, the others are like that already'],
    ],
    [
      ...[21, 30],
      ...['Изменится 21 строка из 30, остальные такие и есть'],
      ...['21 of 30 rows change, the others are like that already'],
    ],
  ] as [number, number, string, string][])('%i of %i', (count, of, russian, english) => {
    expect([ru.would(count, of), en.would(count, of)]).toEqual([russian, english]);
  });
});
