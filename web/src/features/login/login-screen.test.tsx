import { issueTokens, me, publicSettings } from '@ridewatch/contract/auth';
import { listBuses } from '@ridewatch/contract/buses';
import type { ErrorCode } from '@ridewatch/contract/errors';
import { findHome } from '@ridewatch/contract/home';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { busList, owner } from '../../test/made.ts';
import { home } from '../../test/made-home.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import { type FakeServer, refusal, settings } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(listBuses, busList([]));
  server.answer(findHome, home({ buses: { moving: 0, standing: 0, silent: 0, off: 0 } }));
});

const open = (address = '/login') => openScreen(server, address, { user: null });
const username = () => screen.findByRole('textbox', { name: 'Username' });
const password = () => screen.getByLabelText('Password');
const submit = () => screen.getByRole('button', { name: 'Sign in' });
const tokens = {
  access_token: 'a',
  refresh_token: 'r',
  token_type: 'bearer' as const,
  expires_in: 900,
};
const acceptSignIn = () => {
  server.answer(issueTokens, tokens);
  server.answer(me, owner);
};

describe('sign-in', () => {
  it('leads to the home page', async () => {
    acceptSignIn();
    const { hand } = await open();
    await hand.type(await username(), 'owner1');
    await hand.type(password(), 'secret');
    await hand.click(submit());
    expect(await screen.findByRole('heading', { name: 'No buses yet' })).toBeVisible();
    expect(server.asked(issueTokens)[0]?.body).toMatchObject({
      grant_type: 'password',
      username: 'owner1',
      password: 'secret',
    });
  });

  it('leads back to what somebody wanted to see before', async () => {
    acceptSignIn();
    const { hand, address } = await open('/buses?q=472');
    await hand.type(await username(), 'owner1');
    await hand.type(password(), 'secret{Enter}');
    await waitFor(() => expect(address()).toContain('/buses?q=472'));
  });

  it('asks for both fields, and puts the focus into the empty one', async () => {
    const { hand } = await open();
    await hand.type(await username(), 'owner1');
    await hand.click(submit());
    expect(screen.getByText('Please input your password')).toBeVisible();
    expect(password()).toHaveFocus();
    expect(password()).toBeInvalid();
    await hand.clear(await username());
    await hand.click(submit());
    expect(screen.getByText('Please input your username')).toBeVisible();
    expect(await username()).toHaveFocus();
    expect(server.asked(issueTokens)).toHaveLength(0);
  });

  it.each(['Username', 'Password'])('takes no more than 255 characters as the %s', async (name) => {
    const { hand } = await open();
    await hand.type(await username(), 'owner1');
    await hand.type(password(), 'secret');
    const field = screen.getByLabelText(name);
    await hand.clear(field);
    await hand.click(field);
    await hand.paste('x'.repeat(256));
    await hand.click(submit());
    expect(screen.getByText('At most 255 characters')).toBeVisible();
    expect(field).toBeInvalid();
    expect(server.asked(issueTokens)).toHaveLength(0);
  });

  it.each<[ErrorCode, string]>([
    ['invalid_grant', 'Login failed'],
    ['user_inactive', 'This account is inactive'],
    ['user_blocked', 'This account is blocked'],
    ['internal', 'Unexpected error'],
  ])('answered with %s says: %s', async (error, title) => {
    server.refuse(issueTokens, error);
    const { hand } = await open();
    await hand.type(await username(), 'owner1');
    await hand.type(password(), 'secret{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent(title);
  });

  it('refused by the limit of attempts says so, and for how long', async () => {
    server.answer(issueTokens, () => {
      const refused = refusal('too_many_attempts');
      refused.headers.set('retry-after', '780');
      return refused;
    });
    const { hand } = await open();
    await hand.type(await username(), 'owner1');
    await hand.type(password(), 'secret{Enter}');
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Too many attempts');
    expect(alert).toHaveTextContent('You can sign in again in 13 min.');
  });

  it('without a connection says so', async () => {
    const { hand } = await open();
    await hand.type(await username(), 'owner1');
    server.setLink(false);
    await hand.type(password(), 'secret{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('Network error');
    server.setLink(true);
  });

  it('tells whom an inactive account is to write to', async () => {
    server.refuse(issueTokens, 'user_inactive');
    const { hand } = await open();
    await hand.type(await username(), 'owner1');
    await hand.type(password(), 'secret{Enter}');
    expect(await screen.findByText(/help@example.org/)).toBeVisible();
  });

  it('asks for the code of the second factor, and sends it with the password', async () => {
    server.answer(issueTokens, ({ body }) =>
      body.code === undefined ? refusal('mfa_required') : tokens,
    );
    server.answer(me, owner);
    const { hand } = await open('/buses');
    await hand.type(await username(), 'owner1');
    await hand.type(password(), 'secret{Enter}');
    const code = await screen.findByRole('textbox', { name: 'Code' });
    expect(code).toHaveFocus();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    await hand.click(submit());
    expect(screen.getByText('Please input the code')).toBeVisible();
    expect(server.asked(issueTokens)).toHaveLength(1);
    await hand.type(code, '123456{Enter}');
    expect(await screen.findByRole('heading', { name: 'No buses yet' })).toBeVisible();
    expect(server.asked(issueTokens)[1]?.body).toMatchObject({
      username: 'owner1',
      password: 'secret',
      code: '123456',
    });
  });

  it('tells a wrong code from a wrong password, and keeps the field', async () => {
    server.answer(issueTokens, ({ body }) => {
      if (body.password !== 'secret') return refusal('invalid_grant');
      return body.code === undefined
        ? refusal('mfa_required')
        : refusal('invalid_grant', { field: 'code' });
    });
    const { hand } = await open();
    await hand.type(await username(), 'owner1');
    await hand.type(password(), 'secret{Enter}');
    const code = await screen.findByRole('textbox', { name: 'Code' });
    await hand.type(code, '111111{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Login failedCheck the code\.$/);
    expect(code).toHaveValue('111111');
    expect(code).toBeInvalid();
    expect(code).toHaveFocus();
    await hand.type(password(), 'typo{Enter}');
    expect(await screen.findByText('Check username and password.')).toBeVisible();
    expect(code).toBeValid();
    expect(password()).toHaveFocus();
    await hand.type(await username(), 'x');
    expect(screen.queryByRole('textbox', { name: 'Code' })).not.toBeInTheDocument();
  });

  it('of a demo fills in its logins', async () => {
    server.answer(publicSettings, { ...settings, demo: true });
    const { hand } = await open();
    await hand.click(await screen.findByRole('button', { name: 'operator' }));
    expect(await username()).toHaveValue('operator');
    expect(password()).toHaveValue('demo');
  });

  it.each([
    ['en_US', 'Forgot your password? Ask the administrator for a link to set a new one.'],
    ['ru_RU', 'Забыли пароль? Попросите у администратора ссылку для нового.'],
  ] as const)('says what to do without the password, in %s', async (language, said) => {
    await openScreen(server, '/login', { user: null, language });
    expect(await screen.findByText(said)).toBeVisible();
  });

  it('of a new installation says where the link stands that makes its administrator', async () => {
    server.answer(publicSettings, { ...settings, needs_setup: true });
    await open();
    expect(await screen.findByText('There is no administrator yet')).toBeVisible();
    expect(screen.getByText(/printed in the terminal of the server/)).toBeVisible();
    // Nobody could make one.
    expect(screen.queryByText(/Ask the administrator for a link/)).not.toBeInTheDocument();
  });

  it('is no place for who is signed in: they see the home page', async () => {
    await openScreen(server, '/login');
    expect(await screen.findByRole('heading', { name: 'No buses yet' })).toBeVisible();
  });
});

describe('a session that has ended', () => {
  it('leads to sign-in, which says why', async () => {
    server.refuse(listBuses, 'unauthorized');
    server.refuse(issueTokens, 'invalid_grant');
    await openScreen(server, '/buses');
    expect(await screen.findByRole('alert')).toHaveTextContent('Session expired');
  });

  it('because somebody ended it is not called expired', async () => {
    server.refuse(listBuses, 'unauthorized');
    server.refuse(issueTokens, 'session_ended');
    await openScreen(server, '/buses');
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Session ended');
    expect(alert).toHaveTextContent('It was ended on another device');
  });

  it.each<[ErrorCode, string]>([
    ['user_blocked', 'To resume service, pay off the debt'],
    ['user_inactive', 'contact the service administrator at help@example.org'],
  ])('as %s leads to sign-in, which says what to do', async (error, said) => {
    server.refuse(listBuses, error);
    server.refuse(issueTokens, error);
    await openScreen(server, '/buses');
    const alert = await screen.findByRole('alert');
    // The address of the administrator comes with the settings.
    await waitFor(() => expect(alert).toHaveTextContent(said));
  });

  it('whose tokens were renewed goes on', async () => {
    let isRenewed = false;
    server.answer(issueTokens, () => {
      isRenewed = true;
      return tokens;
    });
    server.answer(listBuses, () => (isRenewed ? busList([]) : refusal('unauthorized')));
    await openScreen(server, '/buses');
    expect(await screen.findByRole('heading', { name: 'No buses yet' })).toBeVisible();
    expect(server.asked(issueTokens)).toHaveLength(1);
  });
});
