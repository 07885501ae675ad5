import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { arrangeBuses } from '../../buses/order.ts';
import { bus, busList, busRoute, customer } from '../../test/made.ts';
import { freshServer, showPart } from '../../test/open.tsx';
import { BusTree } from './bus-tree.tsx';
import type { Filters } from './filters.ts';

const sections = arrangeBuses(
  busList(
    [
      bus(1, { group: busRoute(5) }),
      bus(2, { group: busRoute(5) }),
      bus(3, { group: busRoute(6) }),
      bus(4, { clients: [21] }),
    ],
    [customer(20, 'Север'), customer(21, 'Юг')],
  ),
);
let chosen: Filters['buses'];
function Tree() {
  const [buses, setBuses] = useState<Filters['buses']>('all');
  chosen = buses;
  return <BusTree sections={sections} chosen={buses} onChosen={setBuses} />;
}
const rows = () => within(screen.getByRole('group', { name: 'the list of buses' }));
const box = (name: RegExp) => rows().getByRole('checkbox', { name });

beforeEach(() => {
  freshServer();
});

describe('the tree of buses', () => {
  it('takes a customer or a route with all of its buses, and shows a part of them as such', async () => {
    const { hand } = await showPart(<Tree />);
    await hand.click(box(/^Юг/));
    expect(chosen).toEqual([1, 2, 3]);
    await hand.click(rows().getByRole('button', { name: 'Open: Север' }));
    await hand.click(box(/^Маршрут 5/));
    expect(chosen).toEqual([3]);
    expect(box(/^Север/)).toBePartiallyChecked();
    expect(rows().getByText('1 of 3')).toBeVisible();
    await hand.click(screen.getByRole('checkbox', { name: /^All buses/ }));
    expect(chosen).toBe('all');
  });

  it('has no heading of the own company, whose name a customer is not told', async () => {
    const own = arrangeBuses(busList([bus(1, { group: busRoute(5) })], []));
    await showPart(<BusTree sections={own} chosen="all" onChosen={() => undefined} />);
    expect(rows().getAllByRole('checkbox')).toHaveLength(2);
    expect(box(/^Маршрут 5/)).toBeChecked();
    expect(box(/^А 1 АА/)).toBeChecked();
  });

  it('finds buses by name, and takes what was found', async () => {
    const { hand } = await showPart(<Tree />);
    await hand.click(screen.getByRole('checkbox', { name: /^All buses/ }));
    await hand.type(screen.getByRole('searchbox'), 'а3аа');
    expect(box(/^А 3 АА/)).not.toBeChecked();
    await hand.click(screen.getByRole('checkbox', { name: /^All found/ }));
    expect(chosen).toEqual([3]);
    await hand.type(screen.getByRole('searchbox'), 'нет такого');
    expect(screen.getByText('Nothing found')).toBeVisible();
  });

  it('finds a whole route or customer by name', async () => {
    const { hand } = await showPart(<Tree />);
    await hand.click(screen.getByRole('checkbox', { name: /^All buses/ }));
    await hand.type(screen.getByRole('searchbox'), 'маршрут 5');
    await hand.click(screen.getByRole('checkbox', { name: /^All found/ }));
    expect(chosen).toEqual([1, 2]);
    await hand.clear(screen.getByRole('searchbox'));
    await hand.type(screen.getByRole('searchbox'), 'юг');
    await hand.click(screen.getByRole('checkbox', { name: /^All found/ }));
    expect(chosen).toEqual([1, 2, 4]);
  });

  it('is walked by arrow keys, which open and close, too', async () => {
    const { hand } = await showPart(<Tree />);
    box(/^Север/).focus();
    await hand.keyboard('{ArrowRight}{ArrowDown}{ArrowRight}{ArrowDown}');
    expect(box(/^А 1 АА/)).toHaveFocus();
    await hand.keyboard('{ArrowUp}{ArrowLeft}');
    expect(rows().queryByRole('checkbox', { name: /^А 1 АА/ })).not.toBeInTheDocument();
  });
});
