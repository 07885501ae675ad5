import { me, publicSettings } from '@ridewatch/contract/auth';
import { listBuses } from '@ridewatch/contract/buses';
import type { ErrorCode } from '@ridewatch/contract/errors';
import { beginOpenid, finishOpenid } from '@ridewatch/contract/openid';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { rememberDestination } from '../../core/after-sign-in.ts';
import { busList, owner } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import { type FakeServer, settings } from '../../test/server.ts';

const tokens = {
  ...{ access_token: 'a', refresh_token: 'r', token_type: 'bearer' as const, expires_in: 900 },
};
let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(listBuses, busList([]));
  server.answer(me, owner);
  sessionStorage.setItem('ridewatch.openid', 'the ticket');
});

const open = (address = '/openid?code=abc&state=s%2F1&iss=https%3A%2F%2Fid.example') =>
  openScreen(server, address, { user: null });

describe('the page to which a provider leads back', () => {
  it('shows its whole answer with the ticket of the tab, and leads to the wanted page', async () => {
    server.answer(finishOpenid, tokens);
    rememberDestination('/buses?q=472');
    const { address } = await open();
    await waitFor(() => expect(address()).toContain('/buses?q=472'));
    const [asked] = server.asked(finishOpenid);
    expect(asked?.body.ticket).toBe('the ticket');
    expect(Object.fromEntries(new URLSearchParams(asked?.body.query))).toEqual({
      ...{ code: 'abc', state: 's/1', iss: 'https://id.example' },
    });
    expect(sessionStorage.getItem('ridewatch.openid')).toBeNull();
  });

  it.each<[ErrorCode, string]>([
    ['openid_failed', 'The sign-in provider did not confirm who you are'],
    ['openid_unknown_user', 'There is no such user here'],
    ['user_blocked', 'This account is blocked'],
    ['too_many_attempts', 'Too many attempts'],
    ['unavailable', 'Unexpected error'],
  ])('refused with %s says: %s', async (error, said) => {
    server.refuse(finishOpenid, error);
    await open();
    expect(await screen.findByRole('alert')).toHaveTextContent(said);
    expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login');
    expect(server.asked(finishOpenid)).toHaveLength(1);
  });
});

describe('an answer of a provider that the server did not get', () => {
  const retry = () => screen.findByRole('button', { name: 'Try again' });

  it('is shown again with the same ticket when the user asks', async () => {
    server.refuse(finishOpenid, 'unavailable');
    const { hand, address } = await open();
    await hand.click(await retry());
    await waitFor(() => expect(server.asked(finishOpenid)).toHaveLength(2));
    const button = await retry();
    server.answer(finishOpenid, tokens);
    await hand.click(button);
    await waitFor(() => expect(address()).toMatch(/\/$/));
    const asked = server.asked(finishOpenid);
    expect(asked.map(({ body }) => body.ticket)).toEqual(Array(3).fill('the ticket'));
    expect(sessionStorage.getItem('ridewatch.openid')).toBeNull();
  });

  it('is shown again after a lost link', async () => {
    server.answer(finishOpenid, tokens);
    server.setLink(false);
    const { hand, address } = await open();
    expect(await screen.findByText('Network error')).toBeVisible();
    server.setLink(true);
    await hand.click(await retry());
    await waitFor(() => expect(address()).toMatch(/\/$/));
    expect(server.asked(finishOpenid)[0]?.body.ticket).toBe('the ticket');
  });

  it('leads to sign in anew when the server had got it after all', async () => {
    server.refuse(finishOpenid, 'unavailable');
    const { hand } = await open();
    const button = await retry();
    server.refuse(finishOpenid, 'openid_failed');
    await hand.click(button);
    expect(await screen.findByText(/its confirmation was already used/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login');
    expect(sessionStorage.getItem('ridewatch.openid')).toBeNull();
  });

  it('is not spent again when only the user could not be read', async () => {
    server.answer(finishOpenid, tokens);
    server.refuse(me, 'unavailable');
    const { hand, address } = await open();
    const button = await retry();
    server.answer(me, owner);
    await hand.click(button);
    await waitFor(() => expect(address()).toMatch(/\/$/));
    expect(server.asked(finishOpenid)).toHaveLength(1);
  });
});

describe('the sign-in page', () => {
  it('can go to the provider again after Back brought the page as it was left', async () => {
    server.answer(publicSettings, { ...settings, openid: 'Park ID' });
    server.hang(beginOpenid);
    const { hand } = await openScreen(server, '/login', { user: null });
    const button = await screen.findByRole('button', { name: 'Sign in with Park ID' });
    await hand.click(button);
    expect(button).toBeDisabled();
    const shown = new PageTransitionEvent('pageshow', { persisted: true });
    act(() => void window.dispatchEvent(shown));
    expect(button).toBeEnabled();
  });

  it('names the provider, and says when it is away', async () => {
    server.answer(publicSettings, { ...settings, openid: 'Park ID' });
    server.refuse(beginOpenid, 'unavailable');
    const { hand } = await openScreen(server, '/login', { user: null });
    await hand.click(await screen.findByRole('button', { name: 'Sign in with Park ID' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Unexpected error');
    expect(screen.getByRole('button', { name: 'Sign in with Park ID' })).toBeEnabled();
  });
});
