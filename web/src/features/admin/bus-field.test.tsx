// The field for a bus: it finds buses at the server, and takes a plate that is typed whole.
import { type AdminBus, listAdminBuses } from '@ridewatch/contract/admin-buses';
import { updateUnit } from '@ridewatch/contract/admin-units';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { madeUnit } from '../../test/admin-unit.ts';
import { page } from '../../test/made.ts';
import { answerFleet, madeBus, openDrawer } from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

const bus = (id: number, name: string): AdminBus => ({ ...madeBus, id, name });

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
  server.answer(updateUnit, madeUnit);
});

async function open() {
  const opened = await openDrawer(server, 'units', '7');
  await opened.press('Edit');
  return { ...opened, field: await opened.drawer.findByLabelText('Bus') };
}
const sentBus = () =>
  waitFor(() => {
    const [asked] = server.asked(updateUnit);
    expect(asked).toBeDefined();
    return asked?.body.bus_id;
  });

describe('the field for a bus', () => {
  it('says that there is no bus yet, and leads to the form of the first one', async () => {
    server.answer(listAdminBuses, page([]));
    const { drawer, field } = await open();
    expect(await drawer.findByText('There is no bus yet.')).toBeVisible();
    expect(field).toHaveAccessibleDescription('There is no bus yet.');
    expect(drawer.getByRole('link', { name: 'Add a bus' })).toHaveAttribute(
      'href',
      '/admin/buses/new',
    );
  });

  it('says nothing of buses that a search does not find', async () => {
    server.answer(listAdminBuses, ({ query }) =>
      page(query.has('search') ? [] : [bus(12, 'А 12')]),
    );
    const { hand, drawer, field } = await open();
    await hand.type(field, 'Я');
    await waitFor(() => expect(server.asked(listAdminBuses).at(-1)?.query.get('search')).toBe('Я'));
    await waitFor(() => expect(screen.queryByRole('option')).toBeNull());
    expect(drawer.queryByText('There is no bus yet.')).toBeNull();
  });

  it('takes the only bus of a typed name among more than it lists', async () => {
    const others = Array.from({ length: 19 }, (_, at) => bus(200 + at, `А ${at}12`));
    server.answer(listAdminBuses, ({ query }) => {
      const items = query.has('search') ? [bus(12, 'А 12'), ...others] : others;
      return { ...page(items), total: 500 };
    });
    const { hand, field, press } = await open();
    await hand.type(field, ' а12 ');
    await screen.findByRole('option', { name: /^А 12 ·/ });
    await hand.tab();
    await waitFor(() => expect(field).toHaveValue('А 12 · Иван'));
    await press('Save');
    expect(await sentBus()).toBe(12);
  });

  it('takes none of several buses of a typed name, however many they are', async () => {
    const same = Array.from({ length: 20 }, (_, at) => bus(200 + at, 'А 12'));
    server.answer(listAdminBuses, { ...page(same), total: 21 });
    const { hand, drawer, field, press } = await open();
    await hand.type(field, 'А 12');
    await screen.findAllByRole('option', { name: /^А 12 ·/ });
    await hand.tab();
    await press('Save');
    expect(await drawer.findByText('Choose from the list')).toBeVisible();
    expect(server.asked(updateUnit)).toEqual([]);
  });

  it('takes by Enter no bus of an earlier text, but that of the typed one once it is found', async () => {
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.answer(listAdminBuses, async ({ query }) => {
      if (query.get('search') !== 'В') return page([bus(12, 'А 12')]);
      await isAnswered;
      return page([bus(13, 'В 13')]);
    });
    const { hand, field, press } = await open();
    await hand.click(field);
    await screen.findByRole('option', { name: /^А 12 ·/ });
    await hand.type(field, 'В{Enter}');
    expect(field).toHaveValue('В');
    answer();
    await screen.findByRole('option', { name: /^В 13 ·/ });
    await hand.keyboard('{Enter}');
    expect(field).toHaveValue('В 13 · Иван');
    await press('Save');
    expect(await sentBus()).toBe(13);
  });
});
