// Nobody loses a number of a bus that they have typed, and nobody overwrites one unknowingly.
import {
  createUpstream,
  findUpstream,
  listUpstreamBuses,
  listUpstreams,
  numberUpstreamBuses,
} from '@ridewatch/contract/admin-upstreams';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { answerLater } from '../../test/answer-later.ts';
import { page } from '../../test/made.ts';
import { answerFleet, openDrawer } from '../../test/made-admin.ts';
import { upstream, upstreamBus } from '../../test/made-upstream.ts';
import { freshServer } from '../../test/open.tsx';
import { type FakeServer, refusal } from '../../test/server.ts';
import { currentToasts } from '../../ui/toast-store.ts';

const LABEL = 'А 472 КМ · Иван';
const ONLY = 'Only those without a number';
const BAD = 'A number from 1 to 4294967295';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
  server.answer(listUpstreams, page([upstream]));
  server.answer(findUpstream, upstream);
  server.answer(listUpstreamBuses, page([upstreamBus]));
});
const open = () => openDrawer(server, 'upstreams', '4');

/** Saves 7 for a bus that another administrator has numbered 55 meanwhile. */
async function meetConflict() {
  const current = { id: 12, name: 'А 472 КМ', object_id: 55 };
  const conflict = { field: 'buses.0.seen.object_id', current };
  server.answer(numberUpstreamBuses, refusal('conflict', conflict));
  const opened = await open();
  await opened.write(LABEL, '7');
  await opened.press('Save');
  return opened;
}

describe('a typed number', () => {
  it('is there again after the form of the upstream', async () => {
    const { write, press, drawer } = await open();
    await write(LABEL, '7');
    await press('Edit');
    expect(drawer.getByLabelText(LABEL)).not.toBeVisible();
    await press('Cancel');
    expect(drawer.getByLabelText(LABEL)).toBeVisible();
    expect(drawer.getByLabelText(LABEL)).toHaveValue('7');
  });

  it('is given up together with the form, by one answer', async () => {
    const { write, press, confirm, address } = await open();
    await write(LABEL, '7');
    await press('Edit');
    await write('Port', '20333');
    await press('Close');
    await confirm('Do not save');
    await waitFor(() => expect(address()).toMatch(/\/admin\/upstreams$/));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('stays when it was typed while another one was saved', async () => {
    const send = answerLater(server, numberUpstreamBuses, { unnumbered: 1 });
    const { write, press, drawer } = await open();
    await write(LABEL, '7');
    await press('Save');
    await write(LABEL, '71');
    await send();
    await waitFor(() => expect(drawer.getByRole('button', { name: 'Save' })).toBeEnabled());
    expect(drawer.getByLabelText(LABEL)).toHaveValue('71');
    await press('Save');
    await waitFor(() => expect(server.asked(numberUpstreamBuses)).toHaveLength(2));
    expect(server.asked(numberUpstreamBuses)[1]?.body).toEqual({
      buses: [{ id: 12, object_id: 71, seen: { object_id: 7 } }],
    });
  });

  it('stays, and is said to be unsaved, when its request alone is lost', async () => {
    server.answer(numberUpstreamBuses, () => {
      throw new TypeError('Failed to fetch');
    });
    const { write, press, drawer } = await open();
    await write(LABEL, '7');
    await press('Save');
    const text = expect.stringMatching(
      /^No connection to the server: the numbers may not be saved/,
    );
    await waitFor(() => expect(currentToasts()).toMatchObject([{ kind: 'error', text }]));
    expect(drawer.getByLabelText(LABEL)).toHaveValue('7');
  });

  it('is there, and known as the stored one, before the buses are read again', async () => {
    server.answer(numberUpstreamBuses, { unnumbered: 0 });
    const { write, press, drawer } = await open();
    await write(LABEL, '7');
    const send = answerLater(server, listUpstreamBuses, page([{ ...upstreamBus, object_id: 7 }]));
    await press('Save');
    await waitFor(() => expect(drawer.queryByRole('button', { name: 'Save' })).toBeNull());
    expect(drawer.getByLabelText(LABEL)).toHaveValue('7');
    await write(LABEL, '71');
    await send();
    await waitFor(() => expect(drawer.getByRole('button', { name: 'Save' })).toBeEnabled());
    await press('Save');
    await waitFor(() => expect(server.asked(numberUpstreamBuses)).toHaveLength(2));
    expect(server.asked(numberUpstreamBuses)[1]?.body).toMatchObject({
      buses: [{ object_id: 71, seen: { object_id: 7 } }],
    });
  });

  it('that is none is told where its bus is not shown, and has the focus where it is', async () => {
    const { write, press, drawer, hand } = await open();
    await write(LABEL, '7x');
    await press('Save');
    expect(drawer.getByRole('alert')).toHaveTextContent(BAD);
    expect(drawer.getByLabelText(LABEL)).toHaveFocus();
    server.answer(listUpstreamBuses, page([{ ...upstreamBus, id: 13, name: 'М 501 ТТ' }]));
    await hand.click(drawer.getByLabelText(ONLY));
    await drawer.findByLabelText('М 501 ТТ · Иван');
    expect(drawer.getByRole('alert')).toHaveTextContent(`А 472 КМ: ${BAD}`);
    expect(server.asked(numberUpstreamBuses)).toEqual([]);
  });

  it('overwrites one that another administrator has set only after they are told of it', async () => {
    const { press, drawer } = await meetConflict();
    expect(await drawer.findByText(/changed the number meanwhile, it is now: 55/)).toBeVisible();
    server.answer(numberUpstreamBuses, { unnumbered: 0 });
    server.answer(listUpstreamBuses, page([{ ...upstreamBus, object_id: 7 }]));
    await press('Save');
    await waitFor(() => expect(server.asked(numberUpstreamBuses)).toHaveLength(2));
    expect(server.asked(numberUpstreamBuses)[1]?.body).toMatchObject({
      buses: [{ object_id: 7, seen: { object_id: 55 } }],
    });
    await waitFor(() => expect(drawer.queryByRole('button', { name: 'Save' })).toBeNull());
    expect(drawer.queryByText(/changed the number meanwhile/)).toBeNull();
  });

  it('gives way to one that another administrator has set when it is cancelled', async () => {
    const { press, drawer } = await meetConflict();
    await drawer.findByText(/changed the number meanwhile/);
    server.answer(listUpstreamBuses, page([{ ...upstreamBus, object_id: 55 }]));
    await press('Cancel');
    await waitFor(() => expect(drawer.getByLabelText(LABEL)).toHaveValue('55'));
  });
});

it('the last page of the buses without a number leads on to the one before once they have theirs', async () => {
  let total = 21;
  server.answer(numberUpstreamBuses, () => {
    total = 20;
    return { unnumbered: 20 };
  });
  server.answer(listUpstreamBuses, ({ query }) => {
    const number = Number(query.get('page'));
    const first = { ...upstreamBus, id: 13, name: 'М 501 ТТ' };
    const items = number === 0 ? [first] : [upstreamBus].slice(21 - total);
    return { items, number, total };
  });
  const { write, press, drawer } = await open();
  await press('Further ones');
  await write(LABEL, '7');
  await press('Save');
  expect(await drawer.findByLabelText('М 501 ТТ · Иван')).toBeVisible();
  // The button that was pressed is gone.
  await waitFor(() => expect(drawer.getByLabelText(ONLY)).toHaveFocus());
});

it('the drawer leads to what was done with the upstream', async () => {
  const { drawer } = await open();
  const link = await drawer.findByRole('link', { name: /log/i });
  expect(link).toHaveAttribute('href', expect.stringContaining('object=upstream'));
});

it.each([
  ['invalid_request', 'host', /without http:\/\/ and without the port/],
  ['conflict', 'host', /There are 20 already/],
  ['conflict', 'name', 'This name is taken'],
] as const)('a new one that is refused says why: %s of %s', async (error, field, said) => {
  server.answer(createUpstream, refusal(error, { field }));
  const { write, choose, press } = await openDrawer(server, 'upstreams', 'new');
  await write('Name', 'Регион');
  await write('Address of the server', 'egts.region.example');
  await write('Port', '20332');
  await choose('Whose buses', 'Иван');
  await press('Create');
  expect(await screen.findByText(said)).toBeVisible();
});
