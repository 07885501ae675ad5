import type { Customer } from '@ridewatch/contract/auth';
import type { Bus } from '@ridewatch/contract/buses';
import { describe, expect, it } from 'vitest';
import {
  arrangeBuses,
  busesAround,
  type CustomerBuses,
  camerasInOrder,
  neighboursOf,
} from './order.ts';
import { searchBuses } from './search.ts';

let lastId = 0;
function bus(name: string, route?: string, client = 20, cameras: string[] = []): Bus {
  const id = ++lastId;
  return {
    id,
    name,
    description: null,
    type: 'VMS',
    timezone: 'Europe/Moscow',
    gps_trackable: true,
    clients: [client],
    passes: null,
    group: route
      ? {
          id: client * 1000 + route.length,
          name: route,
          client_id: client,
          deleted: false,
          type_calculation: 'FIXED',
        }
      : null,
    group_device_id: null,
    without_unit: null,
    last_seen_at: null,
    cameras: cameras.map((camera, at) => ({
      id: at + 1,
      name: camera,
      stream_id: String(cameras.length - at),
      live: false,
      liveurl: null,
      enabled: true,
      status: 'online',
      door: at + 1,
    })),
  };
}

const customer = (id: number, name: string, more: Partial<Customer> = {}): Customer => ({
  id,
  name,
  patronymic: null,
  surname: null,
  status: 1,
  enabled: true,
  ...more,
});

const arranged = (items: Bus[], customers = [customer(20, 'Север')]) =>
  arrangeBuses({ items, number: 0, total: items.length, customers });
const namesOf = (sections: readonly CustomerBuses[]) =>
  sections.flatMap(({ routes }) => routes.map((route) => route.buses.map(({ name }) => name)));

describe('the order of the bus list', () => {
  it('puts buses without a route first, then the routes by name', () => {
    const sections = arranged([bus('a', 'М10'), bus('b', 'М2'), bus('c')]);
    expect(sections[0]?.routes.map(({ name }) => name)).toEqual([null, 'М2', 'М10']);
  });

  it('sorts buses as people count, with Ё beside Е', () => {
    const items = ['Автобус 10', 'Жук', 'Ёж', 'Автобус 2', 'Ель'].map((name) => bus(name));
    expect(namesOf(arranged(items))).toEqual([['Автобус 2', 'Автобус 10', 'Ёж', 'Ель', 'Жук']]);
  });

  it('hides the buses of blocked, archived and disabled customers', () => {
    const customers = [
      customer(20, 'Север'),
      customer(21, 'Б', { status: 3 }),
      customer(22, 'В', { status: 4 }),
      customer(23, 'Г', { enabled: false }),
    ];
    const items = [20, 21, 22, 23].map((client) => bus(`bus ${client}`, undefined, client));
    expect(namesOf(arranged(items, customers))).toEqual([['bus 20']]);
  });

  it('has a customer without buses last, unless it is hidden or its buses are listed elsewhere', () => {
    const shared = { ...bus('shared'), clients: [20, 21] };
    const customers = [
      ...[customer(20, 'Север'), customer(21, 'Б'), customer(22, 'В')],
      customer(23, 'Г', { status: 4 }),
    ];
    expect(
      arranged([shared], customers).map(({ customer: one, routes }) => [one?.id, routes.length]),
    ).toEqual([
      [20, 1],
      [22, 0],
    ]);
  });

  it('shows a bus of two customers at the one that is not hidden', () => {
    const shared = { ...bus('shared'), clients: [21, 20] };
    const customers = [customer(20, 'Север'), customer(21, 'Б', { status: 3 })];
    expect(arranged([shared], customers)[0]?.customer?.id).toBe(20);
  });

  it('shows a bus until its day is over at the customer from whom it passes alone, and to the next one as its own', () => {
    const customers = [customer(20, 'Север'), customer(21, 'Юг')];
    const passing = (...until_then: number[]): Bus => ({
      ...{ ...bus('passing'), clients: [21], passes: { from: '2026-03-11', until_then } },
    });
    const list = (item: Bus) => ({ items: [item], number: 0, total: 1, customers });
    const headed = (item: Bus, onlyId?: number) =>
      arrangeBuses(list(item), onlyId).map(({ customer: one, routes }) => [one?.id, routes.length]);
    expect(headed(passing(20))).toEqual([[20, 1]]);
    expect([headed(passing(20), 20), headed(passing(20), 21)]).toEqual([[[20, 1]], []]);
    expect(headed(passing())).toEqual([
      [21, 1],
      [20, 0],
    ]);
    const [, south] = customers;
    const hidden = {
      ...list(passing(20)),
      customers: [customer(20, 'Север', { status: 3 }), south as Customer],
    };
    for (const onlyId of [undefined, 21])
      expect(arrangeBuses(hidden, onlyId).map(({ customer: one }) => one?.id)).toEqual([21]);
  });

  it('wraps the arrows around the buses of the same customer', () => {
    const items = [bus('1', 'M'), bus('2'), bus('3', 'M'), bus('x', undefined, 21)];
    const sections = arranged(items, [customer(20, 'A'), customer(21, 'B')]);
    const around = busesAround(sections, items[1]?.id ?? 0);
    expect(around.map(({ name }) => name)).toEqual(['2', '1', '3']);
    const beside = neighboursOf(around, items[1]?.id ?? 0);
    expect([beside?.previous.name, beside?.next.name]).toEqual(['3', '1']);
  });

  it('gives no arrows to a bus that stands alone', () => {
    const alone = bus('alone');
    expect(neighboursOf([alone], alone.id)).toBeUndefined();
  });

  it('lists cameras by stream', () => {
    const [first] = camerasInOrder(bus('a', undefined, 20, ['second', 'first']));
    expect(first?.name).toBe('first');
  });
});

describe('the search', () => {
  const found = (query: string) =>
    namesOf(
      searchBuses(arranged([bus('А 472 КМ'), bus('Ёлка', 'M', 20, ['Задняя Дверь'])]), query),
    ).flat();

  it('finds by a part of the name in any case', () =>
    expect(found('472 км')).toEqual(['А 472 КМ']));
  it("finds by a camera's name", () => expect(found('задняя')).toEqual(['Ёлка']));
  it('finds a plate typed without blanks, in the other alphabet', () => {
    expect(found('а472')).toEqual(['А 472 КМ']);
    expect(found('A472KM')).toEqual(['А 472 КМ']);
  });
  it('takes е for ё', () => expect(found('елк')).toEqual(['Ёлка']));
  it('shows everything for blanks', () => expect(found('  ')).toHaveLength(2));
  it('leaves out what has no match', () => expect(found('нет')).toEqual([]));
});
