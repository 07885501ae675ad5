// A change of several rows while its answer is on the way.
import { listAdminBuses } from '@ridewatch/contract/admin-buses';
import { changeBuses, changeUsers } from '@ridewatch/contract/admin-several';
import { listUsers } from '@ridewatch/contract/admin-users';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { answerLater } from '../../test/answer-later.ts';
import { page } from '../../test/made.ts';
import { answerFleet, madeBus, madeUser, openSection } from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import { type FakeServer, refusal } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
  server.answer(listUsers, page([1, 2].map((id) => ({ ...madeUser, id, login: `user${id}` }))));
});

const changed = { changed: 2, changed_ids: [1, 2], refused: [] };

/** Chooses two users, asks to disable them and means it; the answer waits. */
async function disable(reply: typeof changed | Response) {
  server.answer(changeUsers, changed);
  const { hand } = await openSection(server, 'users');
  await hand.click(await screen.findByRole('checkbox', { name: 'Choose all rows' }));
  const bar = within(await screen.findByRole('region', { name: /chosen rows/ }));
  await hand.click(bar.getByRole('button', { name: 'Disable' }));
  const sure = await screen.findByRole('button', { name: 'Change 2 rows' });
  const answer = answerLater(server, changeUsers, reply);
  await hand.click(sure);
  await waitFor(() => expect(server.asked(changeUsers)).toHaveLength(2));
  return { hand, answer };
}

describe('a change of several rows that is being saved', () => {
  it('keeps its question open until it is done', async () => {
    const { hand, answer } = await disable(changed);
    const question = within(screen.getByRole('dialog'));
    await hand.keyboard('{Escape}');
    expect(question.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    expect(screen.getByRole('dialog')).toBeVisible();
    await answer();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(screen.queryByRole('region', { name: /chosen rows/ })).not.toBeInTheDocument();
  });

  it('lets its question be closed again once the server has refused it', async () => {
    const { hand, answer } = await disable(refusal('unavailable'));
    await answer();
    const cancel = await screen.findByRole('button', { name: 'Cancel' });
    await waitFor(() => expect(cancel).toBeEnabled());
    await hand.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(screen.getByText('2 chosen')).toBeVisible();
  });

  it('keeps the dialog of a new value open until it is known what would change', async () => {
    server.answer(listAdminBuses, page([1, 2].map((id) => ({ ...madeBus, id, name: `А ${id}` }))));
    const { hand } = await openSection(server, 'buses');
    await hand.click(await screen.findByRole('checkbox', { name: 'Choose all rows' }));
    const bar = within(await screen.findByRole('region', { name: /chosen rows/ }));
    await hand.click(bar.getByRole('button', { name: 'Route from a day on' }));
    const dialog = within(await screen.findByRole('dialog'));
    const answer = answerLater(server, changeBuses, { ...changed, former_routes: [] });
    await hand.click(await dialog.findByRole('button', { name: 'Next' }));
    await waitFor(() => expect(server.asked(changeBuses)).toHaveLength(1));
    await hand.keyboard('{Escape}');
    expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    await answer();
    expect(await screen.findByRole('button', { name: 'Change 2 rows' })).toBeVisible();
  });
});
