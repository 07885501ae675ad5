// Rows that refuse a change of several rows: all are named with their reasons, and nothing that was typed is lost.
import { listAdminBuses } from '@ridewatch/contract/admin-buses';
import { listGroups } from '@ridewatch/contract/admin-groups';
import { changeBuses, changeUsers } from '@ridewatch/contract/admin-several';
import { listUsers } from '@ridewatch/contract/admin-users';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { page } from '../../test/made.ts';
import {
  anna,
  answerFleet,
  ivan,
  madeBus,
  madeRoute,
  madeUser,
  openSection,
} from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import { type FakeServer, refusal } from '../../test/server.ts';

type Seen = readonly { readonly from: string | null }[];

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
});

const bar = async () => within(await screen.findByRole('region', { name: /chosen rows/ }));
const linesIn = (dialog: Pick<typeof screen, 'getAllByRole'>) =>
  dialog.getAllByRole('listitem').map((line) => line.textContent);
const ofOthers = { error: 'conflict', field: 'group_id', message: 'It belongs to none.' };

/** Chooses so many buses and asks for a route that some of them refuse. */
async function refuseRoute(buses: number, refused: readonly number[]) {
  const rows = Array.from({ length: buses }, (_, at) => ({
    ...{ ...madeBus, id: at + 1, name: `А ${at + 1}` },
  }));
  server.answer(listAdminBuses, page(rows));
  server.answer(listGroups, page([{ ...madeRoute, name: '157' }]));
  server.answer(changeBuses, ({ body }) => {
    const { ids } = body as { ids: number[] };
    const own = ids.filter((id) => refused.includes(id)).map((id) => ({ id, ...ofOthers }));
    const changed = ids.filter((id) => !refused.includes(id));
    return { changed: changed.length, changed_ids: changed, refused: own, former_routes: [] };
  });
  const { hand } = await openSection(server, 'buses');
  await hand.click(await screen.findByRole('checkbox', { name: 'Choose all rows' }));
  await hand.click((await bar()).getByRole('button', { name: 'Route from a day on' }));
  const dialog = within(await screen.findByRole('dialog'));
  await hand.click(await dialog.findByLabelText('Route'));
  await hand.click(
    (await dialog.findAllByRole('option', { name: '157 · Анна' }))[0] as HTMLElement,
  );
  await hand.click(dialog.getByRole('button', { name: 'Next' }));
  return { hand, dialog, alert: within(await dialog.findByRole('alert')) };
}

describe('rows that refuse what was typed', () => {
  it('are named in the dialog, each with its reason, and what was typed stays', async () => {
    const { dialog, alert } = await refuseRoute(4, [2, 3]);
    expect(
      alert.getByText('2 of 4 rows cannot be changed like that, so none changes.'),
    ).toBeVisible();
    const why = 'A route of another customer';
    expect(linesIn(alert)).toEqual([`А 2 · Иван, Анна: ${why}`, `А 3 · Иван, Анна: ${why}`]);
    expect(dialog.getByLabelText('Route')).toHaveValue('157 · Анна');
    expect(screen.getByText('4 chosen')).toBeVisible();
    expect(server.asked(changeBuses).map(({ body }) => body.preview)).toEqual([true]);
  });

  it('are left out, and the others go on with what was typed', async () => {
    const { hand, dialog, alert } = await refuseRoute(4, [2, 3]);
    await hand.click(alert.getByRole('button', { name: 'Leave them as they are' }));
    expect(await screen.findByText('2 chosen')).toBeVisible();
    expect(dialog.queryByRole('alert')).not.toBeInTheDocument();
    await hand.click(dialog.getByRole('button', { name: 'Next' }));
    await screen.findByRole('button', { name: 'Change 2 rows' });
    expect(server.asked(changeBuses)[1]?.body).toMatchObject({
      ...{ ids: [1, 4], preview: true, change: { group_id: madeRoute.id } },
    });
  });

  it('are counted beyond the first twelve, and cannot be left out if there are no others', async () => {
    const all = Array.from({ length: 15 }, (_, at) => at + 1);
    const { alert } = await refuseRoute(15, all);
    expect(linesIn(alert)).toHaveLength(13);
    expect(linesIn(alert).at(-1)).toBe('and 3 more');
    expect(alert.queryByRole('button')).not.toBeInTheDocument();
  });
});

describe('one’s own row among users who would be disabled', () => {
  const own = { error: 'invalid_request', field: 'enabled', message: 'Not yourself.' };
  const begin = async () => {
    server.answer(listUsers, page([1, 2].map((id) => ({ ...madeUser, id, login: `user${id}` }))));
    const { hand } = await openSection(server, 'users');
    await hand.click(await screen.findByRole('checkbox', { name: 'Choose all rows' }));
    await hand.click((await bar()).getByRole('button', { name: 'Disable' }));
    return { hand, dialog: within(await screen.findByRole('dialog')) };
  };

  it('is named, can be left as it is, and the effects on the others are said', async () => {
    server.answer(changeUsers, ({ body }) => {
      const isOwn = (body as { ids: number[] }).ids.includes(1);
      return { changed: 1, changed_ids: [2], refused: isOwn ? [{ id: 1, ...own }] : [] };
    });
    const { hand, dialog } = await begin();
    expect(linesIn(dialog)).toEqual(['user1 · Анна: You cannot disable yourself']);
    expect(dialog.queryByRole('button', { name: /^Change/ })).not.toBeInTheDocument();
    await hand.click(dialog.getByRole('button', { name: 'Leave it as it is' }));
    const question = within(await screen.findByRole('dialog'));
    expect(await question.findByText(/^Their sessions end at once/)).toBeVisible();
    await hand.click(question.getByRole('button', { name: 'Change 1 row' }));
    await waitFor(() => expect(server.asked(changeUsers)).toHaveLength(3));
    expect(server.asked(changeUsers)[2]?.body).toMatchObject({ ids: [2], preview: false });
  });

  it('that refuses only once it is confirmed is named in the question, which stays', async () => {
    let isRefused = false;
    server.answer(changeUsers, ({ body }) => {
      if (!(body as { preview: boolean }).preview) {
        isRefused = true;
        return refusal('invalid_request', { field: 'ids.0.enabled' });
      }
      const refused = isRefused ? [{ id: 1, ...own }] : [];
      return { changed: 2, changed_ids: [1, 2], refused };
    });
    const { hand, dialog } = await begin();
    await hand.click(await dialog.findByRole('button', { name: 'Change 2 rows' }));
    expect(await screen.findByText(/^The data have changed meanwhile/)).toBeVisible();
    expect(linesIn(within(screen.getByRole('dialog')))).toEqual([
      'user1 · Анна: You cannot disable yourself',
    ]);
  });

  it('that is gone is named, too', async () => {
    server.answer(changeUsers, refusal('not_found', { field: 'ids.1' }));
    const { dialog } = await begin();
    expect(linesIn(dialog)).toEqual(['user2 · Анна: Not found']);
  });
});

describe('a hand-over over midnight', () => {
  it('is asked again with the day from which it would begin now, and begins on the day that was said', async () => {
    let today = 10;
    server.answer(listAdminBuses, page([{ ...madeBus, id: 1, name: 'А 1', clients: [anna] }]));
    server.answer(changeBuses, ({ body }) => {
      const { preview, change } = body as { preview: boolean; change: { seen?: Seen } };
      const from = `2026-03-${today + 1}`;
      const own = { id: 1, from, clients: [anna], owners: [], route_ends: false, fare_ends: false };
      const done = { changed: 1, changed_ids: [1] };
      if (preview) return { ...done, refused: [], former_clients: [own] };
      if (change.seen?.[0]?.from === from) return done;
      return refusal('conflict', { field: 'ids.0.client_ids' });
    });
    const { hand } = await openSection(server, 'buses');
    await hand.click(await screen.findByRole('checkbox', { name: 'Choose all rows' }));
    await hand.click((await bar()).getByRole('button', { name: 'Give to a customer' }));
    const dialog = within(await screen.findByRole('dialog'));
    await hand.click(await dialog.findByLabelText('Customer'));
    await hand.click(await dialog.findByRole('option', { name: 'Иван' }));
    await hand.click(dialog.getByRole('button', { name: 'Next' }));
    expect(await screen.findByText('А 1: Анна → Иван, from 11.03.2026')).toBeVisible();
    today = 11;
    await hand.click(screen.getByRole('button', { name: 'Change 1 row' }));
    expect(await screen.findByText(/^The data have changed meanwhile/)).toBeVisible();
    expect(screen.getByText('А 1: Анна → Иван, from 12.03.2026')).toBeVisible();
    await hand.click(screen.getByRole('button', { name: 'Change 1 row' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(server.asked(changeBuses).at(-1)?.body).toMatchObject({
      ...{
        preview: false,
        change: { client_ids: [ivan.id], seen: [{ id: 1, from: '2026-03-12' }] },
      },
    });
  });
});
