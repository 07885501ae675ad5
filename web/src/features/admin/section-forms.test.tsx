// The forms of sections: what they send when a row is created and when it is changed.
import {
  createBus,
  findAdminBus,
  listAdminBuses,
  setBusSettings,
  updateBus,
} from '@ridewatch/contract/admin-buses';
import { createCamera, updateCamera } from '@ridewatch/contract/admin-cameras';
import { createCustomer, findCustomer, listCustomers } from '@ridewatch/contract/admin-customers';
import { listGroups, updateClassifier } from '@ridewatch/contract/admin-groups';
import type { AdminSection } from '@ridewatch/contract/admin-sections';
import { createUnit, findUnit, updateUnit } from '@ridewatch/contract/admin-units';
import { createUser, updateUser } from '@ridewatch/contract/admin-users';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '../../calls/api.ts';
import { madeUnit } from '../../test/admin-unit.ts';
import { page } from '../../test/made.ts';
import {
  anna,
  answerFleet,
  ivan,
  madeBus,
  madeCamera,
  madeCustomer,
  madePlace,
  madeRoute,
  madeUser,
  openDrawer,
} from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import { type FakeServer, refusal } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
  server.answer(listCustomers, page([madeCustomer]));
  server.answer(findCustomer, madeCustomer);
});

async function open(section: AdminSection, id: string) {
  const opened = await openDrawer(server, section, id);
  if (id !== 'new') await opened.press('Edit');
  return opened;
}
const sent = (endpoint: Parameters<FakeServer['asked']>[0]) =>
  waitFor(() => {
    const body = server.asked(endpoint).at(-1)?.body;
    expect(body).toBeDefined();
    return body;
  });

/** Opens the change of a bus from a day on, as the calendar names the day. */
async function openFrom(day: string) {
  const opened = await openDrawer(server, 'buses', '12');
  const change = await opened.drawer.findByRole('button', { name: 'Change from a day on' });
  await waitFor(() => expect(change).toBeEnabled());
  await opened.hand.click(change);
  await opened.press(day);
  return opened;
}

describe('a new bus', () => {
  it('is sent with every field of its form, empty ones as none', async () => {
    server.answer(createBus, madeBus);
    const { write, choose, press } = await open('buses', 'new');
    await write('Name', 'А 472 КМ');
    await choose('Customers', 'Иван');
    await write('Seats', '24');
    await press('Create');
    expect(await sent(createBus)).toEqual({
      ...{ name: 'А 472 КМ', description: null, client_ids: [2], type: 'VMS', config: '{}' },
      ...{ capacity_seated: 24, capacity_standing: null, timezone: 'Europe/Moscow' },
      ...{ gps_trackable: true, count_passengers_inside: true, bus_calculation: true },
    });
  });
});

describe('a customer', () => {
  it('is a company by its name alone; what only people have stands apart', async () => {
    server.answer(createCustomer, madeCustomer);
    const { drawer, field, write, press } = await open('customers', 'new');
    expect(await field('Name')).toHaveAccessibleDescription(/^A company;/);
    const person = within(drawer.getByRole('group', { name: 'If the customer is a person' }));
    expect(person.getAllByRole('textbox').map((input) => input.getAttribute('id'))).toEqual(
      ['Surname', 'Patronymic'].map((label) => drawer.getByLabelText(label).id),
    );
    await write('Name', 'ООО «Автоколонна»');
    await press('Create');
    expect(await sent(createCustomer)).toMatchObject({
      ...{ name: 'ООО «Автоколонна»', surname: null, patronymic: null },
    });
  });

  it('tells no surname of a company', async () => {
    const { drawer } = await openDrawer(server, 'customers', '1');
    await drawer.findByText('Status');
    expect(drawer.queryByText('Surname')).toBeNull();
    expect(drawer.queryByText('Patronymic')).toBeNull();
  });
});

describe('a stored bus', () => {
  it('sends what was changed, and what was seen of it', async () => {
    server.answer(updateBus, madeBus);
    const { hand, write, field, press } = await open('buses', '12');
    await write('Seats', '');
    await hand.click(await field('Show how many are inside'));
    await press('Remove Иван');
    await press('Save');
    expect(await sent(updateBus)).toEqual({
      ...{ capacity_seated: null, count_passengers_inside: false, client_ids: [1] },
      seen: { capacity_seated: 24, count_passengers_inside: true, client_ids: [1, 2] },
    });
  });

  it('keeps its settings in JSON folded for engineers, until the server refuses them', async () => {
    server.answer(updateBus, refusal('invalid_request', { field: 'config' }));
    const { hand, field, write, press, drawer } = await open('buses', '12');
    const config = await field('Display settings (JSON)');
    expect(config).not.toBeVisible();
    await hand.click(drawer.getByText('For engineers'));
    expect(config).toBeVisible();
    expect(config).toHaveAccessibleDescription(/Unknown keys are kept/);
    await write('Display settings (JSON)', '7');
    await hand.click(drawer.getByText('For engineers'));
    expect(config).not.toBeVisible();
    await press('Save');
    expect(await drawer.findByText('It must be a JSON object')).toBeVisible();
    await write('Display settings (JSON)', '');
    await hand.click(config);
    await hand.paste('{"own": 1}');
    expect(config).toBeVisible();
    server.answer(updateBus, madeBus);
    await press('Save');
    await waitFor(() => expect(server.asked(updateBus)).toHaveLength(2));
    expect(server.asked(updateBus)[1]?.body).toEqual({
      ...{ config: '{"own": 1}', seen: { config: '{}' } },
    });
  });

  it('shows what holds on the day that is chosen, and changes it from that day on', async () => {
    const route = { id: 77, name: '77' };
    const settings = [
      { ...madeBus, valid_from: '2026-03-08' },
      { ...madeBus, valid_from: '2026-01-01', count_source: 'video' as const, group: route },
    ];
    server.answer(findAdminBus, { ...madeBus, settings, owners: [] });
    server.answer(setBusSettings, madeBus);
    const { field, drawer, write, press } = await openFrom('5 March 2026');
    expect(await field('Counted by')).toHaveTextContent('video');
    // It is a route of a former customer, so nobody else offers it.
    expect(await field('Route')).toHaveValue('77');
    expect(drawer.getByRole('button', { name: 'Save' })).toBeDisabled();
    await write('Time zone', 'Asia/Omsk');
    await press('Save');
    expect(await sent(setBusSettings)).toEqual({
      ...{ valid_from: '2026-03-05', timezone: 'Asia/Omsk', seen: { timezone: 'Europe/Moscow' } },
    });
  });

  it('of a bus of several customers tells apart their routes of one name', async () => {
    server.answer(listGroups, ({ query }) => {
      const client = query.get('clientId') === '1' ? anna : ivan;
      return page([{ ...madeRoute, id: client.id + 10, client }]);
    });
    server.answer(setBusSettings, madeBus);
    const { choose, press } = await openFrom('5 March 2026');
    await choose('Route', '156 · Иван');
    await press('Save');
    expect(await sent(setBusSettings)).toMatchObject({ group_id: 12 });
  });

  const from = (valid_from: string) => ({ ...madeBus, valid_from });
  it.each([
    [
      'until when a change holds, and that it leaves earlier days alone',
      ...[[from('2026-03-08'), from('2026-01-01')], '5 March 2026'],
      /from that day until 07\.03\.2026, then other settings\. Earlier days do not change\./,
    ],
    [
      'that a change holds from then on, if no other settings follow',
      ...[[from('2026-03-08'), from('2026-01-01')], '8 March 2026'],
      /hold from that day on\. Earlier days do not change\./,
    ],
    [
      'that the first settings hold on all days before, too',
      ...[[from('2026-03-08')], '5 March 2026'],
      /until 07\.03\.2026, then other settings\. All earlier days change, too/,
    ],
  ] as const)('says %s', async (_, settings, day, said) => {
    server.answer(findAdminBus, { ...madeBus, settings: [...settings], owners: [] });
    const { drawer } = await openFrom(day);
    expect(await drawer.findByText(said)).toBeVisible();
  });

  it('is changed from a day on by a button that a second click does not take back', async () => {
    const { drawer, hand, press } = await openDrawer(server, 'buses', '12');
    const name = 'Change from a day on';
    const change = await drawer.findByRole('button', { name });
    await waitFor(() => expect(change).toBeEnabled());
    await hand.dblClick(change);
    expect(await drawer.findByRole('grid', { name: 'March 2026' })).toBeVisible();
    await press('Cancel');
    expect(await drawer.findByRole('button', { name })).toHaveFocus();
    await press(name);
    await press('5 March 2026');
    await press('Cancel');
    expect(await drawer.findByRole('button', { name })).toHaveFocus();
  });

  it('offers no change while it is not known what holds, and opens no form by itself', async () => {
    server.refuse(findAdminBus, 'internal');
    const { drawer, press } = await openDrawer(server, 'buses', '12');
    expect(await drawer.findByRole('alert')).toHaveTextContent('How it changed');
    const change = drawer.getByRole('button', { name: 'Change from a day on' });
    expect(change).toBeDisabled();
    expect(change).not.toHaveAttribute('aria-busy');
    server.answer(findAdminBus, { ...madeBus, settings: [], owners: [] });
    await press('Try again');
    await waitFor(() => expect(change).toBeEnabled());
    expect(drawer.queryByRole('alert')).toBeNull();
    expect(drawer.queryByRole('button', { name: 'Cancel' })).toBeNull();
  });

  it('gets no settings over those of another administrator before the user has been told of them', async () => {
    const answerZone = (timezone: string) => {
      const bus = { ...madeBus, timezone };
      const settings = [{ ...bus, valid_from: '2026-01-01' }];
      server.answer(findAdminBus, { ...bus, settings, owners: [] });
    };
    answerZone('Europe/Moscow');
    const { drawer, press, write } = await openFrom('10 March 2026');
    await write('Time zone', 'Asia/Tomsk');
    answerZone('Asia/Omsk');
    await act(() => queryClient.refetchQueries({ queryKey: [findAdminBus.path] }));
    server.answer(setBusSettings, refusal('conflict', { field: 'seen.timezone' }));
    await press('Save');
    expect(
      await drawer.findByText(/has changed “Time zone” meanwhile, it is now: Asia\/Omsk/),
    ).toBeVisible();
    const change = { valid_from: '2026-03-10', timezone: 'Asia/Tomsk' };
    expect(await sent(setBusSettings)).toEqual({ ...change, seen: { timezone: 'Europe/Moscow' } });
    server.answer(setBusSettings, madeBus);
    await press('Overwrite with mine');
    await waitFor(() => expect(server.asked(setBusSettings)).toHaveLength(2));
    expect(await sent(setBusSettings)).toEqual({ ...change, seen: { timezone: 'Asia/Omsk' } });
  });
});

describe('a camera', () => {
  it('that becomes a service camera is sent without its door', async () => {
    server.answer(updateCamera, madeCamera);
    const { choose, press } = await open('cameras', '5');
    await choose('Type', 'service');
    await press('Save');
    expect(await sent(updateCamera)).toEqual({
      ...{ live: true, door: null, counts: false, seen: { live: false } },
    });
  });

  it('that is new goes into the only bus there is', async () => {
    server.answer(createCamera, madeCamera);
    const { write, press } = await open('cameras', 'new');
    await write('Name', 'Зад');
    await write('Stream', 'door2');
    await write('Door', '2');
    await press('Create');
    expect(await sent(createCamera)).toEqual({
      ...{ bus_id: 12, name: 'Зад', stream_id: 'door2', live: false, door: 2, counts: false },
      enabled: true,
    });
  });

  it('says which camera has the channel of its key already, as does a unit of its protocol', async () => {
    const cameras = ['ch1', 'cam1'].map((stream_id) => ({ name: `Door ${stream_id}`, stream_id }));
    const current = { cause: 'same_channel', cameras };
    const said = /^The cameras “Door ch1” \(ch1\) and “Door cam1” \(cam1\) have one channel/;
    server.answer(updateCamera, refusal('conflict', { field: 'stream_id', current }));
    server.answer(updateUnit, refusal('conflict', { field: 'protocol', current }));
    const camera = await open('cameras', '5');
    await camera.write('Stream', 'cam1');
    await camera.press('Save');
    expect(await camera.drawer.findByText(said)).toBeVisible();
    camera.unmount();
    const unit = await open('units', '7');
    await unit.choose('Protocol', 'JT/T 808');
    await unit.write('Number of the terminal', '13912345678');
    await unit.press('Save');
    expect(await unit.drawer.findByText(said)).toBeVisible();
  });
});

describe('a user', () => {
  it('that becomes an administrator leaves its customer', async () => {
    server.answer(updateUser, madeUser);
    const { choose, press } = await open('users', '9');
    await choose('Role', 'administrator');
    await press('Save');
    expect(await sent(updateUser)).toEqual({
      ...{ role: 'ADMIN', client_id: null, seen: { role: 'CUSTOMER' } },
    });
  });

  it('that is new has a login, a password and a customer', async () => {
    server.answer(createUser, madeUser);
    const { drawer, write, choose, press } = await open('users', 'new');
    await press('Create');
    expect(await drawer.findAllByText('Please fill this in')).toHaveLength(3);
    await write('Username', 'petrov');
    await write('First password', 'a long password');
    await choose('Customer', 'Анна');
    await press('Create');
    expect(await sent(createUser)).toEqual({
      ...{ login: 'petrov', password: 'a long password', role: 'CUSTOMER', client_id: 1 },
      can_edit: false,
    });
  });
});

describe('a unit', () => {
  it('that is new shows its credential once it is made', async () => {
    server.answer(listAdminBuses, page([]));
    server.answer(createUnit, { unit: madeUnit, credential: 'rw_secret' });
    const { write, choose, press } = await open('units', 'new');
    await write('Device id', 'RW-7');
    await choose('Customer', 'Иван');
    await press('Create');
    expect(await sent(createUnit)).toEqual({
      ...{ device_id: 'RW-7', bus_id: null, client_id: 2, protocol: null },
    });
    expect(await screen.findByText('rw_secret')).toBeVisible();
  });

  it('that is switched off sends that alone', async () => {
    server.answer(updateUnit, madeUnit);
    const { hand, field, press } = await open('units', '7');
    await hand.click(await field('Enabled'));
    await press('Save');
    expect(await sent(updateUnit)).toEqual({ enabled: false, seen: { enabled: true } });
  });

  it('that has sent something goes to another bus from a moment on, typed in Moscow time', async () => {
    const current = { cause: 'too_much' };
    server.answer(updateUnit, refusal('conflict', { field: 'moved_from', current }));
    const { drawer, hand, choose, write, press } = await open('units', '7');
    expect(drawer.queryByLabelText(/Moved on/)).toBeNull();
    await choose('Bus', `${madeBus.name} · ${madeBus.clients[0]?.name}`);
    await press('Moved on: —');
    await hand.type(await screen.findByRole('textbox', { name: 'Date in digits' }), '10.03.2026');
    await hand.keyboard('{Enter}');
    expect(await drawer.findByRole('button', { name: 'Moved on: 10.03.2026' })).toHaveFocus();
    await write('Time in Moscow', '25:00');
    await press('Save');
    expect(await drawer.findByText('No such time')).toBeVisible();
    expect(server.asked(updateUnit)).toEqual([]);
    await write('Time in Moscow', '1005');
    await hand.keyboard('{Enter}');
    expect(await sent(updateUnit)).toEqual({
      ...{ bus_id: 12, moved_from: '2026-03-10T07:05:00.000Z', seen: { bus_id: null } },
    });
    expect(await drawer.findByText(/choose a later moment/)).toBeVisible();
  });

  it('goes there from now on if its moment is taken away again', async () => {
    server.answer(updateUnit, madeUnit);
    const { choose, write, press } = await open('units', '7');
    await choose('Bus', `${madeBus.name} · ${madeBus.clients[0]?.name}`);
    await write('Time in Moscow', '8:05');
    await press('Clear');
    await press('Save');
    expect(await sent(updateUnit)).toEqual({ bus_id: 12, seen: { bus_id: null } });
  });

  it('that has never sent anything has no history to leave behind', async () => {
    server.answer(findUnit, { ...madeUnit, last_seen_at: null });
    server.answer(updateUnit, madeUnit);
    const { drawer, choose, press } = await open('units', '7');
    await choose('Bus', `${madeBus.name} · ${madeBus.clients[0]?.name}`);
    expect(drawer.queryByLabelText(/Moved on/)).toBeNull();
    await press('Save');
    expect(await sent(updateUnit)).toEqual({ bus_id: 12, seen: { bus_id: null } });
  });
});

describe('a place', () => {
  it('is moved by its degrees, which are numbers within their limits', async () => {
    server.answer(updateClassifier, madePlace);
    const { drawer, write, press } = await open('classifiers', '3');
    await write('Latitude', '91');
    await press('Save');
    expect(await drawer.findByText(/90/)).toBeVisible();
    await write('Latitude', '55,72');
    await press('Save');
    expect(await sent(updateClassifier)).toEqual({ latitude: 55.72, seen: { latitude: 55.71 } });
  });
});
