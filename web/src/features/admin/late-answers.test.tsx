// Answers in the administration that arrive after somebody has left the drawer that asked.
import {
  deleteGroup,
  listClassifiers,
  listGroups,
  mergeClassifiers,
} from '@ridewatch/contract/admin-groups';
import { deleteMessage, findAdminMessage, listAdminMessages } from '@ridewatch/contract/admin-news';
import { listUsers, viewAsUser } from '@ridewatch/contract/admin-users';
import { logout, me } from '@ridewatch/contract/auth';
import type { Endpoint } from '@ridewatch/contract/endpoint';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '../../calls/api.ts';
import { currentSession } from '../../core/session.ts';
import { answerLater } from '../../test/answer-later.ts';
import { NOW } from '../../test/browser.ts';
import { page } from '../../test/made.ts';
import { answerFleet, madePlace, madeRoute, madeUser, openDrawer } from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';
import { currentToasts } from '../../ui/toast-store.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
});
const asked = (endpoint: Endpoint) => waitFor(() => expect(server.asked(endpoint)).toHaveLength(1));
/** Waits until what the change may have changed was read again. */
const readAgain = (list: Endpoint) => {
  const before = server.asked(list).length;
  return waitFor(() => expect(server.asked(list).length).toBeGreaterThan(before));
};

describe('an answer to somebody who has left', () => {
  it('that a route is deleted leads nowhere', async () => {
    server.answer(listGroups, page([madeRoute, { ...madeRoute, id: 5, name: '157' }]));
    const answer = answerLater(server, deleteGroup, undefined);
    const { press, confirm, hand, address } = await openDrawer(server, 'groups', '4');
    await press('Delete the route');
    await confirm('Delete the route');
    await asked(deleteGroup);
    await hand.click(screen.getByRole('link', { name: '157' }));
    await waitFor(() => expect(address()).toMatch(/groups\/5$/));
    const isRead = readAgain(listGroups);
    await answer();
    await isRead;
    expect(address()).toMatch(/groups\/5$/);
  });

  it('that places are merged leads nowhere', async () => {
    const other = { ...madePlace, id: 7, name: 'Рынок южный' };
    server.answer(listClassifiers, page([madePlace, other]));
    const answer = answerLater(server, mergeClassifiers, other);
    const { choose, press, confirm, hand, address } = await openDrawer(server, 'classifiers', '3');
    await choose('Merge into the stop', 'Рынок южный · № 7');
    await press('Merge');
    await confirm('Merge');
    await asked(mergeClassifiers);
    await hand.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(address()).toMatch(/classifiers$/));
    const isRead = readAgain(listClassifiers);
    await answer();
    await isRead;
    expect(address()).toMatch(/classifiers$/);
  });

  it('that a banner is deleted leads nowhere', async () => {
    const banner = {
      ...{ id: 6, title: 'Ремонт', text: 'Ночью.', active: false, date_from: null },
      ...{ date_to: null, media: null, created_at: NOW },
    };
    server.answer(listAdminMessages, page([banner]));
    server.answer(findAdminMessage, banner);
    const answer = answerLater(server, deleteMessage, undefined);
    const { press, confirm, hand, address } = await openDrawer(server, 'messages', '6');
    await press('Delete');
    await confirm('Delete');
    await asked(deleteMessage);
    await hand.click(screen.getByRole('button', { name: 'Write' }));
    await waitFor(() => expect(address()).toMatch(/messages\/new$/));
    const isRead = readAgain(listAdminMessages);
    await answer();
    await isRead;
    expect(address()).toMatch(/messages\/new$/);
  });
});

describe('the view as a user', () => {
  const tokens = {
    ...{ access_token: 'viewed', refresh_token: 'viewed', token_type: 'bearer' as const },
    expires_in: 900,
  };
  const isSettled = () => waitFor(() => expect(queryClient.isMutating()).toBe(0));

  it('does not begin after the administrator has left the user', async () => {
    server.answer(listUsers, page([madeUser, { ...madeUser, id: 10, login: 'ivanov' }]));
    server.answer(logout, undefined);
    const answer = answerLater(server, viewAsUser, tokens);
    const { press, hand, address } = await openDrawer(server, 'users', '9');
    await press('View as this user');
    await asked(viewAsUser);
    await hand.click(screen.getByRole('link', { name: 'ivanov' }));
    await waitFor(() => expect(address()).toMatch(/users\/10$/));
    await answer();
    await isSettled();
    // Its session is ended on the server, because nobody uses it.
    await asked(logout);
    expect(currentSession()?.access).toBe('access');
    expect(address()).toMatch(/users\/10$/);
  });

  it('does not begin after the administrator has signed out', async () => {
    server.answer(logout, undefined);
    const answer = answerLater(server, viewAsUser, tokens);
    const { press, hand } = await openDrawer(server, 'users', '9');
    await press('View as this user');
    await asked(viewAsUser);
    await hand.click(screen.getByRole('button', { name: 'Sign out' }));
    await screen.findByRole('heading', { name: 'Sign in' });
    await answer();
    await isSettled();
    expect(currentSession()).toBeNull();
    expect(screen.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  });

  it('does not begin while it is unknown what the user is, which a toast says', async () => {
    server.answer(logout, undefined);
    const { press } = await openDrawer(server, 'users', '9');
    server.answer(viewAsUser, tokens);
    server.refuse(me, 'internal');
    await press('View as this user');
    // Its session is ended on the server, because nobody uses it.
    await asked(logout);
    await isSettled();
    expect(currentSession()?.access).toBe('access');
    await waitFor(() => expect(currentToasts()).toMatchObject([{ kind: 'error' }]));
  });
});
