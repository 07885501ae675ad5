import { issueTokens, me } from '@ridewatch/contract/auth';
import { listBuses } from '@ridewatch/contract/buses';
import { findHome } from '@ridewatch/contract/home';
import { findSetupLink, makeFirstAdministrator } from '@ridewatch/contract/setup-links';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { admin, busList } from '../../test/made.ts';
import { home } from '../../test/made-home.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(findSetupLink, undefined as never);
  server.answer(makeFirstAdministrator, undefined as never);
  server.answer(issueTokens, {
    ...{ access_token: 'a', refresh_token: 'r', token_type: 'bearer', expires_in: 900 },
  });
  server.answer(me, admin);
  server.answer(listBuses, busList([]));
  server.answer(findHome, home({ buses: { moving: 0, standing: 0, silent: 0, off: 0 } }));
});

const open = (address = '/setup#secret-token', more: Parameters<typeof openScreen>[2] = {}) =>
  openScreen(server, address, { user: null, ...more });
const login = () => screen.findByRole('textbox', { name: 'Username' });
type Hand = Awaited<ReturnType<typeof open>>['hand'];
async function fill(hand: Hand, name: string, password = 'longer than ten') {
  await hand.type(await login(), name);
  await hand.type(screen.getByLabelText('New password'), password);
  await hand.type(screen.getByLabelText('Once more'), password);
}
const submit = () => screen.getByRole('button', { name: 'Create and sign in' });

describe('the page of the link that a new installation prints', () => {
  it('makes the first administrator, signs in, and leads home', async () => {
    const { hand, address } = await open();
    await fill(hand, 'chief');
    await hand.click(submit());
    await waitFor(() => expect(address()).toMatch(/\/$/));
    expect(server.asked(makeFirstAdministrator)[0]?.body).toEqual({
      ...{ token: 'secret-token', login: 'chief', password: 'longer than ten' },
    });
    expect(server.asked(issueTokens)[0]?.body).toMatchObject({
      ...{ username: 'chief', password: 'longer than ten' },
    });
  });

  it('says what is wrong with the fields before anything is sent', async () => {
    const { hand } = await open();
    await login();
    await hand.click(submit());
    expect(screen.getByText('Please input a username')).toBeVisible();
    await fill(hand, ' chief', 'short');
    expect(screen.getByText(/no spaces at its ends/)).toBeVisible();
    expect(screen.getByLabelText('New password')).toBeInvalid();
    expect(server.asked(makeFirstAdministrator)).toHaveLength(0);
  });

  it('says that the login is taken, until another one is typed', async () => {
    server.refuse(makeFirstAdministrator, 'conflict');
    const { hand } = await open();
    await fill(hand, 'owner1');
    await hand.click(submit());
    expect(await screen.findByText('Another user has this username')).toBeVisible();
    await hand.type(await login(), '0');
    await waitFor(() => expect(screen.queryByText('Another user has this username')).toBeNull());
  });

  it('leads to sign-in when the administrator is made but cannot sign in at once', async () => {
    server.refuse(issueTokens, 'unavailable');
    const { hand, address } = await open();
    await fill(hand, 'chief');
    await hand.click(submit());
    await waitFor(() => expect(address()).toMatch(/\/login$/));
  });

  it('says how another link is printed when this one does not work', async () => {
    server.refuse(findSetupLink, 'invalid_link');
    await open('/setup#used', { language: 'ru_RU' });
    expect(await screen.findByRole('heading', { name: 'Ссылка не действует' })).toBeVisible();
    expect(screen.getByText(/после перезапуска/)).toBeVisible();
  });

  it('keeps what was typed while the server cannot be reached', async () => {
    const { hand, address } = await open();
    await fill(hand, 'chief');
    server.setLink(false);
    await hand.click(submit());
    expect(await screen.findByRole('alert')).toHaveTextContent('Network error');
    expect(await login()).toHaveValue('chief');
    server.setLink(true);
    await hand.click(submit());
    await waitFor(() => expect(address()).toMatch(/\/$/));
  });
});
