// Forms of the administration while their answers are on the way.
import {
  createCustomer,
  findCustomer,
  listCustomers,
  updateCustomer,
} from '@ridewatch/contract/admin-customers';
import { findRetention } from '@ridewatch/contract/retention';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { answerLater } from '../../test/answer-later.ts';
import { page } from '../../test/made.ts';
import { anna, ivan, madeCustomer, openDrawer } from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import { type FakeServer, refusal } from '../../test/server.ts';

const rows = [anna, ivan].map((named) => ({ ...madeCustomer, ...named }));
const [annaRow = madeCustomer, ivanRow = madeCustomer] = rows;
let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(listCustomers, page(rows));
  server.answer(findCustomer, ({ params }) => (params.id === '1' ? annaRow : ivanRow));
  server.answer(findRetention, {
    ...{ client_id: 1, video_days: null, files_days: null, positions_days: null },
    defaults: { video_days: 90, files_days: 7, positions_days: 400 },
  });
});
const times = (endpoint: Parameters<FakeServer['asked']>[0], count: number) =>
  waitFor(() => expect(server.asked(endpoint)).toHaveLength(count));
const drawerOf = async (name: string) => within(await screen.findByRole('complementary', { name }));

/** Opens the form of Anna, types a surname, and saves; the answer waits. */
async function saveSurname() {
  const opened = await openDrawer(server, 'customers', '1');
  await opened.press('Edit');
  await opened.write('Surname', 'Котова');
  const answer = answerLater(server, updateCustomer, annaRow);
  await opened.hand.keyboard('{Enter}');
  await times(updateCustomer, 1);
  return { ...opened, answer };
}

describe('a form that is being saved', () => {
  it('keeps what is typed meanwhile, and saves it next', async () => {
    const { answer, drawer, write, press } = await saveSurname();
    await write('Surname', 'Котова-Белова');
    await answer();
    expect(await screen.findByText('Saved')).toBeVisible();
    expect(drawer.getByLabelText('Surname')).toHaveValue('Котова-Белова');
    server.answer(updateCustomer, annaRow);
    await press('Save');
    await times(updateCustomer, 2);
    expect(server.asked(updateCustomer)[1]?.body).toEqual({
      ...{ surname: 'Котова-Белова', seen: { surname: 'Котова' } },
    });
    expect(await drawer.findByRole('button', { name: 'Edit' })).toBeVisible();
  });

  it('still asks before what was typed meanwhile is left', async () => {
    const { answer, hand, write } = await saveSurname();
    await write('Patronymic', 'П');
    await answer();
    await screen.findByText('Saved');
    await hand.click(screen.getByRole('link', { name: 'Иван' }));
    expect(await screen.findByRole('dialog')).toHaveTextContent('unsaved');
  });

  it('is sent once, however often Enter is pressed', async () => {
    const { answer, hand, drawer } = await saveSurname();
    await hand.keyboard('{Enter}{Enter}');
    await answer();
    expect(await drawer.findByRole('button', { name: 'Edit' })).toBeVisible();
    expect(server.asked(updateCustomer)).toHaveLength(1);
  });

  it('overwrites what somebody else wrote once, however often that is pressed', async () => {
    const { hand, drawer, press, write } = await openDrawer(server, 'customers', '1');
    server.answer(updateCustomer, refusal('conflict', { field: 'seen.surname' }));
    await press('Edit');
    await write('Surname', 'Котова');
    await press('Save');
    const own = await drawer.findByRole('button', { name: 'Overwrite with mine' });
    const answer = answerLater(server, updateCustomer, annaRow);
    await hand.click(own);
    await hand.click(own);
    await answer();
    expect(await drawer.findByRole('button', { name: 'Edit' })).toBeVisible();
    expect(server.asked(updateCustomer)).toHaveLength(2);
  });

  it('lets a user leave it, as soon as nothing is unsaved', async () => {
    const { answer, hand, address } = await saveSurname();
    await hand.click(screen.getByRole('link', { name: 'Иван' }));
    await screen.findByRole('dialog');
    await answer();
    await drawerOf('Иван');
    expect(address()).toMatch(/customers\/2$/);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('of a new row takes nothing more, so that the row has what the form shows', async () => {
    const { write, press, drawer } = await openDrawer(server, 'customers', 'new');
    await write('Name', 'Анна');
    const answer = answerLater(server, createCustomer, annaRow);
    await press('Create');
    await times(createCustomer, 1);
    expect(drawer.getByLabelText('Surname').closest('[inert]')).not.toBeNull();
    await answer();
    expect(await (await drawerOf('Анна')).findByRole('button', { name: 'Edit' })).toBeVisible();
  });
});

describe('a new row that is saved with Enter in a field', () => {
  /** Frames after which a lost focus has moved on. */
  const ENOUGH = 6;
  const frames = async () => {
    for (let frame = 0; frame < ENOUGH; frame += 1)
      await act(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())));
  };
  const begin = async (reply: typeof annaRow | Response) => {
    const opened = await openDrawer(server, 'customers', 'new');
    await opened.write('Name', 'Анна');
    const answer = answerLater(server, createCustomer, reply);
    await opened.hand.keyboard('{Enter}');
    await times(createCustomer, 1);
    // Browsers take the focus from fields that take nothing; jsdom does not.
    act(() => opened.drawer.getByLabelText('Name').blur());
    await frames();
    return { ...opened, answer };
  };

  it.each([
    ['the server is away', refusal('unavailable'), 'Name'],
    ['another field is refused', refusal('invalid_request', { field: 'surname' }), 'Surname'],
  ])(
    'discards nothing when Enter comes again, and takes the focus back where %s',
    async (_, reply, label) => {
      const { hand, answer, drawer } = await begin(reply);
      expect(document.body).toHaveFocus();
      await hand.keyboard('{Enter}');
      await answer();
      await waitFor(() => expect(drawer.getByLabelText(label)).toHaveFocus());
      await frames();
      expect(drawer.getByLabelText(label)).toHaveFocus();
      expect(drawer.getByLabelText('Name')).toHaveValue('Анна');
      expect(server.asked(createCustomer)).toHaveLength(1);
    },
  );

  it('leads to the refused field although the answer came before the pressed button lost the focus', async () => {
    const { drawer, hand, write } = await openDrawer(server, 'customers', 'new');
    await write('Name', 'Анна');
    server.answer(createCustomer, refusal('invalid_request', { field: 'surname' }));
    await hand.click(drawer.getByRole('button', { name: 'Create' }));
    await waitFor(() => expect(drawer.getByLabelText('Surname')).toHaveFocus());
  });

  it('leads to the row that was made', async () => {
    const { hand, answer } = await begin(annaRow);
    await hand.keyboard('{Enter}');
    await answer();
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Анна' })).toHaveFocus());
    expect(server.asked(createCustomer)).toHaveLength(1);
  });
});

describe('a form that somebody has left before its answer', () => {
  it('does not close the one that was opened since', async () => {
    const { answer, press, write, drawer } = await saveSurname();
    await press('Cancel');
    await press('Edit');
    await write('Surname', 'Ёлкина');
    await answer();
    await screen.findByText('Saved');
    expect(drawer.getByLabelText('Surname')).toHaveValue('Ёлкина');
  });

  it('of a new row does not open the row over another page', async () => {
    const { write, press, hand, address } = await openDrawer(server, 'customers', 'new');
    await write('Name', 'Анна');
    const answer = answerLater(server, createCustomer, annaRow);
    await press('Create');
    await times(createCustomer, 1);
    await hand.click(screen.getByRole('link', { name: 'Иван' }));
    await hand.click(await screen.findByRole('button', { name: 'Do not save' }));
    await drawerOf('Иван');
    await answer();
    await screen.findByText('Saved');
    await times(listCustomers, 2);
    expect(address()).toMatch(/customers\/2$/);
    expect(screen.getByRole('heading', { name: 'Иван' })).toBeVisible();
  });
});
