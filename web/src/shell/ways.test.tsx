// The ways between screens: the logo, 'back' on phones, addresses that need a sign-in or do not exist.
import { listBuses } from '@ridewatch/contract/buses';
import { findHome } from '@ridewatch/contract/home';
import { searchNews } from '@ridewatch/contract/news';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { rememberDestination } from '../core/after-sign-in.ts';
import { bus, busList, page } from '../test/made.ts';
import { home } from '../test/made-home.ts';
import { freshServer, openScreen } from '../test/open.tsx';
import type { FakeServer } from '../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(listBuses, busList([bus(1)]));
  server.answer(findHome, home());
  server.answer(searchNews, page([]));
});

describe('the logo', () => {
  it('leads to the root', async () => {
    const { hand, address } = await openScreen(server, '/buses');
    await hand.click(await screen.findByRole('link', { name: 'Ridewatch: To the home page' }));
    expect(await screen.findByRole('heading', { name: /^Today/ })).toBeVisible();
    expect(new URL(address()).pathname).toBe('/');
  });
});

describe("'back' on a phone", () => {
  const open = (address: string) => openScreen(server, address, { device: 'phone' });

  it('leads to the screen above it where a link opened the screen', async () => {
    const { hand, address } = await open('/news');
    await hand.click(await screen.findByRole('button', { name: 'Back' }));
    await waitFor(() => expect(new URL(address()).pathname).toBe('/buses'));
  });

  it('leads to where the user came from', async () => {
    const { hand, address } = await open('/');
    await hand.click(await screen.findByRole('button', { name: 'More' }));
    await hand.click(await screen.findByRole('link', { name: 'News' }));
    await hand.click(await screen.findByRole('button', { name: 'Back' }));
    await waitFor(() => expect(new URL(address()).pathname).toBe('/'));
  });

  it('is not on screens of the tab bar that stand above all, which have the menu of the user', async () => {
    await open('/');
    expect(await screen.findByRole('button', { name: 'User menu: owner1' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Back' })).not.toBeInTheDocument();
  });
});

describe('an address', () => {
  it('that does not exist leads to the remembered one, once', async () => {
    rememberDestination('/news?page=2');
    const first = await openScreen(server, '/nowhere');
    expect(await screen.findByText('No news yet')).toBeVisible();
    expect(first.address()).toMatch(/\/news\?page=2$/);
    const second = await openScreen(server, '/nowhere');
    await waitFor(() => expect(second.address()).toMatch(/\/buses$/));
  });

  it('that needs a sign-in is remembered with its query', async () => {
    const { address } = await openScreen(server, '/news?page=2', { user: null });
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(address()).toMatch(/\/login$/);
    expect(sessionStorage.getItem('ridewatch.target')).toBe('/news?page=2');
  });

  it('that does not exist leads to the sign-in where nobody is signed in, and then to the bus list', async () => {
    await openScreen(server, '/nowhere', { user: null });
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(sessionStorage.getItem('ridewatch.target')).toBe('/buses');
  });

  it('of the sign-in leads who is signed in to the root', async () => {
    const { address } = await openScreen(server, '/login');
    await waitFor(() => expect(new URL(address()).pathname).toBe('/'));
  });
});
