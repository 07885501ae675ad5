import {
  changePassword,
  endAllSessions,
  endSession,
  listSessions,
} from '@ridewatch/contract/account';
import { logout, me } from '@ridewatch/contract/auth';
import { listBuses } from '@ridewatch/contract/buses';
import { listMergeRequests } from '@ridewatch/contract/merges';
import { listReports } from '@ridewatch/contract/reports';
import { listReviewQueue } from '@ridewatch/contract/review';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '../api.ts';
import { at, bus, busList, owner, page } from '../test/made.ts';
import { merge } from '../test/made-merges.ts';
import { reportPage } from '../test/made-reports.ts';
import { freshServer, openScreen } from '../test/open.tsx';
import type { FakeServer } from '../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(listBuses, busList([bus(1)]));
});
const open = (opening?: Parameters<typeof openScreen>[2]) => openScreen(server, '/buses', opening);
const menu = () => screen.findByRole('navigation', { name: 'Main menu' });

describe('the header of a desktop', () => {
  it('names the company, the screens and the user', async () => {
    await open();
    const links = within(await menu()).getAllByRole('link');
    expect(links.map((link) => link.textContent)).toEqual([
      'Buses',
      'To review',
      'Statistics',
      'Reports',
    ]);
    expect(links[0]).toHaveAttribute('aria-current', 'page');
    expect(screen.getByRole('link', { name: 'Ridewatch: To the home page' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'User menu: owner1' })).toBeVisible();
    expect(screen.getByRole('contentinfo')).toHaveTextContent('© 2020–2026 Ridewatch');
  });

  it('leaves out the review for who may not edit', async () => {
    await open({ user: { ...owner, can_edit: false } });
    const links = within(await menu()).getAllByRole('link');
    expect(links.map((link) => link.textContent)).toEqual(['Buses', 'Statistics', 'Reports']);
  });

  it('leads from screen to screen', async () => {
    const queue = { newer: 0, reviewed_today: 0, reviewers: [] };
    server.answer(listReviewQueue, { ...page([]), ...queue });
    const { hand, address } = await open();
    await hand.click(within(await menu()).getByRole('link', { name: 'To review' }));
    expect(await screen.findByRole('heading', { name: 'Everything is reviewed' })).toBeVisible();
    expect(address()).toMatch(/\/review$/);
  });

  it('signs out', async () => {
    server.answer(logout, undefined as never);
    const { hand } = await open();
    await menu();
    await hand.click(screen.getByRole('button', { name: 'Sign out' }));
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
    // A user who signed out sees no reason.
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});

describe('the shell of a phone', () => {
  it('has the title above, and the screens below', async () => {
    await open({ device: 'phone' });
    const tabs = await menu();
    expect(within(tabs).getByRole('link', { name: 'Buses' })).toHaveAttribute(
      'aria-current',
      'page',
    );
    expect(within(tabs).getByRole('link', { name: 'To review' })).toBeVisible();
    expect(screen.getAllByRole('banner')[0]).toHaveTextContent('Buses');
    expect(screen.queryByRole('button', { name: 'Back' })).not.toBeInTheDocument();
  });

  it('leads from the notifications to the reports, which are in no tab, and closes them', async () => {
    server.answer(listReports, reportPage([]));
    const { hand, address } = await open({ device: 'phone' });
    await hand.click(screen.getByRole('button', { name: 'Notifications' }));
    await hand.click(await screen.findByRole('link', { name: 'Reports' }));
    expect(await screen.findByText('No reports')).toBeVisible();
    expect(address()).toMatch(/\/reports$/);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('opens the notifications from below', async () => {
    server.answer(listMergeRequests, page([merge(4)]));
    const { hand } = await open({ device: 'phone' });
    await menu();
    await hand.click(screen.getByRole('button', { name: 'Notifications' }));
    const sheet = await screen.findByRole('dialog', { name: 'Notifications' });
    expect(await within(sheet).findByText('А 7 АА · Дверь 1')).toBeVisible();
    await hand.click(within(sheet).getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
});

describe('the user menu', () => {
  const openMenu = async (device: 'phone' | 'desktop' = 'desktop') => {
    const view = await open({ device });
    await menu();
    await view.hand.click(screen.getByRole('button', { name: 'User menu: owner1' }));
    return view;
  };

  it('switches the language of the page', async () => {
    const { hand } = await openMenu();
    await hand.click(await screen.findByRole('button', { name: 'Русский' }));
    expect(await screen.findByRole('link', { name: 'Автобусы' })).toBeVisible();
    expect(document.documentElement.lang).toBe('ru');
  });

  it('switches the theme', async () => {
    const { hand } = await openMenu();
    await hand.click(await screen.findByRole('button', { name: 'Dark' }));
    expect(document.documentElement.dataset.theme).toBe('dark');
  });

  it('changes the password', async () => {
    server.answer(changePassword, undefined as never);
    const { hand } = await openMenu('phone');
    await hand.click(await screen.findByRole('button', { name: 'Change password' }));
    const dialog = await screen.findByRole('dialog', { name: 'Change password' });
    const save = within(dialog).getByRole('button', { name: 'Save' });
    expect(save).toBeDisabled();
    await hand.type(within(dialog).getByLabelText('Current password'), 'old');
    await hand.type(within(dialog).getByLabelText('New password'), 'longer than ten');
    await hand.click(save);
    expect(await screen.findByText('Password changed, other sessions are closed')).toBeVisible();
    expect(server.asked(changePassword)[0]?.body).toEqual({
      old_password: 'old',
      new_password: 'longer than ten',
    });
  });

  it('says that the current password is wrong', async () => {
    server.refuse(changePassword, 'wrong_password');
    const { hand } = await openMenu();
    await hand.click(await screen.findByRole('button', { name: 'Change password' }));
    await hand.type(await screen.findByLabelText('Current password'), 'old');
    await hand.type(screen.getByLabelText('New password'), 'longer than ten{Enter}');
    expect(await screen.findByText('The current password is wrong')).toBeVisible();
  });

  it('lists the sessions, and ends one of them or all', async () => {
    const session = {
      id: '0b5f0c1e-8f1a-4b0e-9f5e-000000000001',
      created_at: at('08:00'),
      last_used_at: at('14:00'),
      address: '10.0.0.1',
      user_agent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0',
      current: true,
    };
    const other = { ...session, id: '0b5f0c1e-8f1a-4b0e-9f5e-000000000002', current: false };
    server.answer(listSessions, { items: [session, other] });
    server.answer(endSession, undefined as never);
    server.answer(endAllSessions, undefined as never);
    const { hand } = await openMenu();
    await hand.click(await screen.findByRole('button', { name: 'My sessions' }));
    const dialog = await screen.findByRole('dialog', { name: 'My sessions' });
    expect(await within(dialog).findByText(/this session/)).toBeVisible();
    expect(within(dialog).getAllByText(/10.03.2026 14:00 MSK/)).toHaveLength(2);
    await hand.click(within(dialog).getByRole('button', { name: 'End session' }));
    await waitFor(() => expect(server.asked(endSession)[0]?.params.sessionId).toBe(other.id));
    await hand.click(within(dialog).getByRole('button', { name: 'Sign out everywhere' }));
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
  });

  it('says that the sessions could not be loaded', async () => {
    server.refuse(listSessions, 'internal');
    const { hand } = await openMenu();
    await hand.click(await screen.findByRole('button', { name: 'My sessions' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Could not load');
  });
});

describe('the notifications of the header', () => {
  const openBell = async () => {
    const view = await open();
    await menu();
    await view.hand.click(screen.getByRole('button', { name: /^Notifications/ }));
    return view;
  };

  it('say that there is no news', async () => {
    await openBell();
    expect(await screen.findByText('No news for today.')).toBeVisible();
  });

  it('say that they could not be loaded, and load when they are asked again', async () => {
    server.refuse(listMergeRequests, 'internal');
    const { hand } = await openBell();
    const alert = await screen.findByRole('alert');
    server.answer(listMergeRequests, page([merge(4)]));
    await hand.click(within(alert).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('А 7 АА · Дверь 1')).toBeVisible();
  });
});

describe('a lost connection', () => {
  it('shows a bar, which goes when the server answers again', async () => {
    const { hand } = await open();
    await menu();
    server.setLink(false);
    await hand.click(screen.getByRole('button', { name: /^Notifications/ }));
    expect(await screen.findByText(/No connection to the server/)).toBeVisible();
    server.setLink(true);
    await hand.click(await screen.findByRole('button', { name: 'Try again' }));
    await waitFor(() =>
      expect(screen.queryByText(/No connection to the server/)).not.toBeInTheDocument(),
    );
  });
});

describe('a server that fails', () => {
  it('has a bar say that what is shown is old, until it answers again', async () => {
    await open();
    await screen.findByRole('link', { name: 'А 1 АА' });
    server.refuse(listBuses, 'internal');
    await queryClient.refetchQueries({ queryKey: [listBuses.path] });
    expect(await screen.findByText(/The data are not refreshed: error 500/)).toBeVisible();
    expect(await screen.findByText('500: It was refused.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'А 1 АА' })).toBeVisible();
    server.answer(listBuses, busList([bus(1)]));
    await queryClient.refetchQueries({ queryKey: [listBuses.path] });
    await waitFor(() =>
      expect(screen.queryByText(/The data are not refreshed/)).not.toBeInTheDocument(),
    );
  });
});

describe('a server that fails, and then cannot be reached', () => {
  it('has one bar, that of the lost connection', async () => {
    await open();
    await screen.findByRole('link', { name: 'А 1 АА' });
    server.refuse(listBuses, 'internal');
    await queryClient.refetchQueries({ queryKey: [listBuses.path] });
    expect(await screen.findByText(/The data are not refreshed/)).toBeVisible();
    server.setLink(false);
    await queryClient.refetchQueries({ queryKey: [me.path] });
    expect(await screen.findByText(/No connection to the server/)).toBeVisible();
    expect(screen.queryByText(/The data are not refreshed/)).not.toBeInTheDocument();
  });
});

describe('an address that nobody knows', () => {
  it('leads to the bus list', async () => {
    const { address } = await openScreen(server, '/nowhere/at/all');
    expect(await screen.findByRole('link', { name: 'А 1 АА' })).toBeVisible();
    expect(address()).toMatch(/\/buses$/);
  });
});
