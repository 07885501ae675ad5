import { checkSession, issueTokens, me, SESSION_CHECK_MS } from '@ridewatch/contract/auth';
import { listBuses } from '@ridewatch/contract/buses';
import { findHome } from '@ridewatch/contract/home';
import { searchNews } from '@ridewatch/contract/news';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { bus, busList, owner, page } from '../test/made.ts';
import { home } from '../test/made-home.ts';
import { freshServer, openScreen, showPart } from '../test/open.tsx';
import type { FakeServer } from '../test/server.ts';
import { destinationOr, rememberDestination } from './after-sign-in.ts';
import { markConnected, markLost, retryWhileLost, useConnectionLost } from './connection.ts';
import {
  currentSession,
  dropSession,
  logoutReason,
  renewSession,
  startSession,
  subscribeSession,
  updateUser,
  useLogoutReason,
  useSession,
} from './session.ts';
import { createStoredValue } from './stored-value.ts';

const tokens = (access_token: string) => ({
  access_token,
  refresh_token: 'refresh',
  token_type: 'bearer' as const,
  expires_in: 900,
});
let server: FakeServer;
beforeEach(() => {
  server = freshServer();
});

describe('the session of a page that asks nothing else', () => {
  it.each([
    ['user_blocked', 'This account is blocked'],
    ['user_inactive', 'This account is inactive'],
  ] as const)('ends with %s on every screen, which says so', async (error, title) => {
    server.answer(checkSession, undefined as never);
    server.answer(me, owner);
    const { address } = await openScreen(server, '/account');
    // Nothing else is answered any more, and the page's clock goes on.
    const seen = async (isSeen: () => void) =>
      waitFor(() => {
        vi.setSystemTime(Date.now() + SESSION_CHECK_MS);
        isSeen();
      });
    await seen(() => expect(server.asked(checkSession).length).toBeGreaterThan(0));
    server.refuse(checkSession, error);
    server.refuse(issueTokens, error);
    await seen(() => expect(address()).toContain('/login'));
    expect(await screen.findByText(title)).toBeVisible();
    expect(logoutReason()).toBe(error);
  });
});

describe('a session', () => {
  const Shown = () => {
    const session = useSession();
    const reason = useLogoutReason();
    return <p>{session ? `${session.user.login}, ${session.access}` : `left: ${reason}`}</p>;
  };

  it('is followed by every component, from sign-in to the end', async () => {
    await showPart(<Shown />, { user: null });
    act(() => startSession(tokens('one'), owner));
    expect(screen.getByText('owner1, one')).toBeVisible();
    act(() => renewSession('refresh', tokens('two')));
    expect(screen.getByText('owner1, two')).toBeVisible();
    act(() => dropSession('token_expired'));
    expect(screen.getByText('left: token_expired')).toBeVisible();
  });

  it('is stored in this browser: both tokens, and the user', () => {
    startSession(tokens('one'), owner);
    expect(JSON.parse(localStorage.getItem('ridewatch.session') ?? '')).toMatchObject({
      signedIn: { access: 'one', refresh: 'refresh', user: { login: 'owner1' } },
    });
    dropSession('user_command');
    expect(localStorage.getItem('ridewatch.session')).not.toContain('refresh');
  });

  it('ends in this tab when another tab ends it', async () => {
    await showPart(<Shown />);
    localStorage.setItem('ridewatch.session', '{"signedIn":null,"reason":"user_command"}');
    act(() => {
      window.dispatchEvent(new StorageEvent('storage', { key: 'ridewatch.session' }));
    });
    expect(screen.getByText('left: user_command')).toBeVisible();
  });

  it('that is over is not renewed', () => {
    dropSession('user_command');
    renewSession('refresh', tokens('late'));
    expect(currentSession()).toBeNull();
    expect(logoutReason()).toBe('user_command');
  });

  it('takes over what the server says of the user now, and tells nobody of the same', () => {
    startSession(tokens('one'), owner);
    const told = vi.fn();
    const leave = subscribeSession(told);
    updateUser({ ...owner });
    expect(told).not.toHaveBeenCalled();
    updateUser({ ...owner, can_edit: false });
    expect(told).toHaveBeenCalledOnce();
    expect(currentSession()?.user.can_edit).toBe(false);
    leave();
  });
});

describe('a value that is kept in local storage', () => {
  const count = createStoredValue<number>('test.count', (raw) =>
    typeof raw === 'number' ? raw : 0,
  );

  it('begins with what nonsense is read as', () => {
    localStorage.setItem('test.count', 'no number');
    window.dispatchEvent(new StorageEvent('storage', { key: 'test.count' }));
    expect(count.get()).toBe(0);
  });

  it('is there for the next page', () => {
    count.set(7);
    expect(localStorage.getItem('test.count')).toBe('7');
    const again = createStoredValue<number>('test.count', (raw) =>
      typeof raw === 'number' ? raw : 0,
    );
    expect(again.get()).toBe(7);
  });

  it('tells those who listen, until they leave', () => {
    const told = vi.fn();
    const leave = count.subscribe(told);
    count.set(1);
    leave();
    count.set(2);
    expect(told).toHaveBeenCalledOnce();
  });

  it('hears nothing of the keys of others', () => {
    count.set(3);
    localStorage.setItem('test.count', '4');
    window.dispatchEvent(new StorageEvent('storage', { key: 'test.other' }));
    expect(count.get()).toBe(3);
  });
});

describe('the target of somebody who has to sign in first', () => {
  it('is remembered once, with its query', () => {
    rememberDestination('/bus/7/gps?lap=2&date=2026-03-09');
    const target = { to: '/bus/7/gps', search: { lap: '2', date: '2026-03-09' } };
    expect(destinationOr('/buses')).toEqual(target);
    expect(destinationOr('/buses')).toEqual({ to: '/buses', search: {} });
  });

  it.each(['//elsewhere.example/buses', 'https://elsewhere.example', 'buses'])(
    'is none of another site: %s',
    (href) => {
      rememberDestination(href);
      expect(destinationOr('/buses').to).toBe('/buses');
    },
  );
});

describe('a tab that waits for the sign-in', () => {
  const signInElsewhere = () => {
    const signedIn = { access: 'access', refresh: 'refresh', user: owner };
    localStorage.setItem('ridewatch.session', JSON.stringify({ signedIn, reason: null }));
    act(() => {
      window.dispatchEvent(new StorageEvent('storage', { key: 'ridewatch.session' }));
    });
  };
  beforeEach(() => {
    server.answer(me, owner);
    server.answer(listBuses, busList([bus(1)]));
    server.answer(findHome, home());
    server.answer(searchNews, page([]));
  });

  it('opens its own target when another tab signs in, once', async () => {
    const { address } = await openScreen(server, '/news?page=2', { user: null });
    expect(address()).toMatch(/\/login$/);
    signInElsewhere();
    expect(await screen.findByText('No news yet')).toBeVisible();
    expect(address()).toMatch(/\/news\?page=2$/);
    await waitFor(() => expect(destinationOr('/buses').to).toBe('/buses'));
  });

  it('opens its own target when the user signs in there, once', async () => {
    server.answer(issueTokens, tokens('access'));
    const { hand, address } = await openScreen(server, '/news?page=2', { user: null });
    await hand.type(await screen.findByRole('textbox', { name: 'Username' }), 'owner1');
    await hand.type(screen.getByLabelText('Password'), 'secret');
    await hand.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByText('No news yet')).toBeVisible();
    expect(address()).toMatch(/\/news\?page=2$/);
    await waitFor(() => expect(destinationOr('/buses').to).toBe('/buses'));
  });

  it('opens the root without a target', async () => {
    const { address } = await openScreen(server, '/login', { user: null });
    signInElsewhere();
    await waitFor(() => expect(new URL(address()).pathname).toBe('/'));
  });
});

describe('a lost connection', () => {
  const Shown = () => <p>{useConnectionLost() ? 'lost' : 'there'}</p>;

  it('is tried again every three seconds until somebody answers', async () => {
    vi.useFakeTimers();
    const attempt = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('still lost'));
    attempt.mockResolvedValue();
    retryWhileLost(attempt);
    const { unmount } = await showPart(<Shown />);
    act(() => markLost());
    expect(screen.getByText('lost')).toBeVisible();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(attempt).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(attempt).toHaveBeenCalledTimes(2);
    unmount();
  });

  it('is said as soon as the browser knows of it, before a call fails', async () => {
    vi.useFakeTimers();
    markConnected();
    const attempt = vi.fn<() => Promise<void>>().mockResolvedValue();
    retryWhileLost(attempt);
    await showPart(<Shown />);
    act(() => {
      window.dispatchEvent(new Event('offline'));
    });
    expect(screen.getByText('lost')).toBeVisible();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(attempt).toHaveBeenCalledOnce();
    act(() => markConnected());
    expect(screen.getByText('there')).toBeVisible();
  });

  it('is tried to the end though another call is answered before', async () => {
    vi.useFakeTimers();
    markConnected();
    const attempt = vi.fn<() => Promise<void>>().mockResolvedValue();
    retryWhileLost(attempt);
    markLost();
    markConnected();
    markLost();
    markConnected();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(attempt).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(9_000);
    expect(attempt).toHaveBeenCalledOnce();
  });
});
