import { listSessions } from '@ridewatch/contract/account';
import { listApiKeys } from '@ridewatch/contract/api-keys';
import { logout, type Me, me } from '@ridewatch/contract/auth';
import { listClientRoutes } from '@ridewatch/contract/bus-routes';
import { listBuses } from '@ridewatch/contract/buses';
import { findNotifications } from '@ridewatch/contract/notifications';
import { listReports } from '@ridewatch/contract/reports';
import { listReviewQueue } from '@ridewatch/contract/review';
import { findSecondFactor } from '@ridewatch/contract/second-factor';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '../calls/api.ts';
import { resizeTo } from '../test/browser.ts';
import { admin, bus, busList, owner, page } from '../test/made.ts';
import { merge } from '../test/made-merges.ts';
import { newsItem, notifications } from '../test/made-notifications.ts';
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
      'Home',
      'Buses',
      'To review',
      'Statistics',
      'Reports',
      'News',
    ]);
    expect(links[1]).toHaveAttribute('aria-current', 'page');
    expect(screen.getByRole('link', { name: 'Ridewatch: To the home page' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'User menu: owner1' })).toBeVisible();
    expect(screen.getByRole('contentinfo')).toHaveTextContent('© 2020–2026 Ridewatch');
  });

  it('leaves out the review for who may not edit', async () => {
    await open({ user: { ...owner, can_edit: false } });
    const links = within(await menu()).getAllByRole('link');
    expect(links.map((link) => link.textContent)).toEqual([
      'Home',
      'Buses',
      'Statistics',
      'Reports',
      'News',
    ]);
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

describe('the menu of a page that is loaded again', () => {
  it('begins with what the last page showed', async () => {
    server.answer(findNotifications, notifications({ news: [newsItem(1)], hasFaq: true }));
    const { hand, unmount } = await open();
    expect(screen.queryByRole('link', { name: 'Questions' })).not.toBeInTheDocument();
    await hand.click(await screen.findByRole('button', { name: 'Notifications' }));
    expect(await screen.findByRole('link', { name: 'Questions' })).toBeVisible();
    unmount();

    server.hang(findNotifications);
    await open({ isReload: true });
    const links = within(await menu()).getAllByRole('link');
    expect(links.at(-2)).toHaveAccessibleName('News unread items');
    expect(links.at(-1)).toHaveAccessibleName('Questions');
    expect(screen.getByRole('button', { name: 'Notifications: 1' })).toBeVisible();
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
    expect(within(tabs).getByRole('link', { name: 'Review' })).toBeVisible();
    expect(screen.getAllByRole('banner')[0]).toHaveTextContent('Buses');
    expect(screen.queryByRole('button', { name: 'Back' })).not.toBeInTheDocument();
  });

  it('has at most five tabs; the other screens are under More, in their order', async () => {
    server.answer(findNotifications, notifications({ news: [newsItem(1)] }));
    const { hand, address } = await open({ device: 'phone' });
    const names = () =>
      [...(screen.getByRole('navigation', { name: 'Main menu' }).children ?? [])].map(
        ({ textContent }) => textContent?.trim(),
      );
    expect(names()).toEqual(['Home', 'Buses', 'Review', 'More', 'Events']);
    await hand.click(screen.getByRole('button', { name: 'Events' }));
    const sheet = await screen.findByRole('dialog', { name: 'Notifications' });
    await hand.click(within(sheet).getByRole('button', { name: 'Close' }));
    await hand.click(await screen.findByRole('button', { name: /^More/ }));
    const more = within(await screen.findByRole('dialog', { name: 'More' }));
    expect(more.getAllByRole('link').map(({ textContent }) => textContent?.trim())).toEqual([
      'Statistics',
      'News',
    ]);
    await hand.click(more.getByRole('link', { name: /^News/ }));
    await waitFor(() => expect(address()).toMatch(/\/news$/));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(await screen.findByRole('button', { name: /^More/, current: true })).toBeVisible();
  });

  /** Opens the page anew after one on which the bell has said that news are unread. */
  const openWithUnread = async (user: Me) => {
    server.answer(findNotifications, notifications({ news: [newsItem(1)] }));
    const { hand, unmount } = await open({ user });
    await hand.click(await screen.findByRole('button', { name: /^Notifications/ }));
    await screen.findByRole('button', { name: 'Notifications: 1' });
    unmount();
    return open({ isReload: true, device: 'phone', user });
  };

  it('marks unread news, on More while they stand there', async () => {
    const { hand } = await openWithUnread(owner);
    await hand.click(await screen.findByRole('button', { name: 'More unread items' }));
    const more = within(await screen.findByRole('dialog', { name: 'More' }));
    expect(more.getByRole('link', { name: /^News/ })).toHaveAccessibleName('News unread items');
  });

  it('marks unread news on their tab where they have one', async () => {
    await openWithUnread({ ...owner, can_edit: false });
    expect(await screen.findByRole('link', { name: 'News unread items' })).toBeVisible();
  });

  it('signs out above', async () => {
    server.answer(logout, undefined as never);
    const { hand } = await open({ device: 'phone' });
    const [top] = await screen.findAllByRole('banner');
    await hand.click(within(top as HTMLElement).getByRole('button', { name: 'Sign out' }));
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
  });

  it('has a tab for each screen of a user who does not review', async () => {
    await open({ device: 'phone', user: { ...owner, can_edit: false } });
    const tabs = within(await menu());
    expect(tabs.getAllByRole('link').map(({ textContent }) => textContent?.trim())).toEqual([
      'Home',
      'Buses',
      'Statistics',
      'News',
    ]);
    expect(tabs.queryByRole('button', { name: 'More' })).not.toBeInTheDocument();
  });

  it('leads from the notifications to the reports, which are in no tab, and closes them', async () => {
    server.answer(listReports, reportPage([]));
    const { hand, address } = await open({ device: 'phone' });
    await hand.click(screen.getByRole('button', { name: 'Events' }));
    await hand.click(await screen.findByRole('link', { name: 'Reports' }));
    expect(await screen.findByText('No reports')).toBeVisible();
    expect(address()).toMatch(/\/reports$/);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('lists in the user menu the screens that have no tab', async () => {
    server.answer(listReports, reportPage([]));
    const { hand, address } = await open({ device: 'phone', user: admin });
    await hand.click(await screen.findByRole('button', { name: 'User menu: admin' }));
    expect(await screen.findByRole('link', { name: 'Administration' })).toBeVisible();
    await hand.click(screen.getByRole('link', { name: 'Reports' }));
    expect(await screen.findByText('No reports')).toBeVisible();
    expect(address()).toMatch(/\/reports$/);
  });

  it('opens the notifications from below', async () => {
    server.answer(findNotifications, notifications({ merges: [merge(4)] }));
    const { hand } = await open({ device: 'phone' });
    await menu();
    await hand.click(screen.getByRole('button', { name: 'Events' }));
    const sheet = await screen.findByRole('dialog', { name: 'Notifications' });
    expect(await within(sheet).findByText('А 7 АА · Дверь 1')).toBeVisible();
    await hand.click(within(sheet).getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
});

describe('the notifications of a phone', () => {
  const openSheet = async () => {
    server.answer(listReports, reportPage([]));
    server.answer(findNotifications, notifications({ news: [newsItem(1)] }));
    const view = await openScreen(server, '/reports', { device: 'phone' });
    await view.hand.click(within(await menu()).getByRole('link', { name: 'Buses' }));
    await screen.findByRole('link', { name: 'А 1 АА' });
    await view.hand.click(screen.getByRole('button', { name: 'Events' }));
    const sheet = await screen.findByRole('dialog', { name: 'Notifications' });
    return { ...view, sheet: within(sheet) };
  };
  const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  it('are closed by Back, which leaves the page, and the next Back leads to the page before', async () => {
    const { address } = await openSheet();
    window.history.back();
    await isClosed();
    await waitFor(() => expect(address()).toMatch(/\/buses$/));
    expect(screen.getByRole('link', { name: 'А 1 АА' })).toBeVisible();
    window.history.back();
    await waitFor(() => expect(address()).toMatch(/\/reports$/));
    expect(await screen.findByText('No reports')).toBeVisible();
  });

  it('are no part of the history when something else closes them', async () => {
    const { address, hand, sheet } = await openSheet();
    await hand.click(sheet.getByRole('button', { name: 'Close' }));
    await isClosed();
    window.history.back();
    await waitFor(() => expect(address()).toMatch(/\/reports$/));
  });

  it('lead to a page, from which Back leads to the one below them', async () => {
    const { address, hand, sheet } = await openSheet();
    await hand.click(await sheet.findByRole('link', { name: 'all news' }));
    await isClosed();
    await waitFor(() => expect(address()).toMatch(/\/news$/));
    window.history.back();
    await waitFor(() => expect(address()).toMatch(/\/buses$/));
    expect(await screen.findByRole('link', { name: 'А 1 АА' })).toBeVisible();
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

  it('leads to the account', async () => {
    server.answer(findSecondFactor, { since: null, recovery_codes_left: 0, required: false });
    server.answer(listSessions, { items: [], total: 0 });
    server.answer(listApiKeys, page([]));
    const { hand, address } = await openMenu('phone');
    await hand.click(await screen.findByRole('link', { name: 'Account' }));
    expect(await screen.findByRole('heading', { name: 'Account' })).toBeVisible();
    expect(address()).toMatch(/\/account$/);
    expect(screen.queryByRole('link', { name: 'Account' })).not.toBeInTheDocument();
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
    server.refuse(findNotifications, 'internal');
    const { hand } = await openBell();
    const alert = await screen.findByRole('alert');
    server.answer(findNotifications, notifications({ merges: [merge(4)] }));
    await hand.click(within(alert).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('А 7 АА · Дверь 1')).toBeVisible();
  });
});

describe('the first calls of a signed-in user', () => {
  it('ask for the routes of the own customer, unless the user is an administrator', async () => {
    await open();
    await waitFor(() =>
      expect(server.asked(listClientRoutes).map(({ params }) => params.customerId)).toEqual([
        String(owner.client_id),
      ]),
    );
    server = freshServer();
    server.answer(listBuses, busList([bus(1)]));
    await open({ user: admin });
    await screen.findByRole('link', { name: 'А 1 АА' });
    expect(server.asked(listClientRoutes)).toEqual([]);
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
    expect(await screen.findByText(/Not refreshed: error 500/)).toBeVisible();
    expect(await screen.findByText('500: It was refused.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'А 1 АА' })).toBeVisible();
    server.answer(listBuses, busList([bus(1)]));
    await queryClient.refetchQueries({ queryKey: [listBuses.path] });
    await waitFor(() => expect(screen.queryByText(/Not refreshed: error/)).not.toBeInTheDocument());
  });
});

describe('a server that fails, and then cannot be reached', () => {
  it('has one bar, that of the lost connection', async () => {
    await open();
    await screen.findByRole('link', { name: 'А 1 АА' });
    server.refuse(listBuses, 'internal');
    await queryClient.refetchQueries({ queryKey: [listBuses.path] });
    expect(await screen.findByText(/Not refreshed: error/)).toBeVisible();
    server.setLink(false);
    await queryClient.refetchQueries({ queryKey: [me.path] });
    expect(await screen.findByText(/No connection to the server/)).toBeVisible();
    expect(screen.queryByText(/Not refreshed: error/)).not.toBeInTheDocument();
  });
});

describe('the width of the window', () => {
  it.each([
    [959, 'phone'],
    [960, 'desktop'],
  ])('of %i px makes the page that of a %s', async (width, kind) => {
    await open();
    await menu();
    act(() => resizeTo(width));
    const isPhone = kind === 'phone';
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Events' }) !== null).toBe(isPhone),
    );
    expect(screen.queryByRole('contentinfo') === null).toBe(isPhone);
  });
});

describe('an address that nobody knows', () => {
  it('leads to the bus list', async () => {
    const { address } = await openScreen(server, '/nowhere/at/all');
    expect(await screen.findByRole('link', { name: 'А 1 АА' })).toBeVisible();
    expect(address()).toMatch(/\/buses$/);
  });
});
