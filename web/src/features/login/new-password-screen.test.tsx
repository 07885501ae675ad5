import { findPasswordLink, setPasswordByLink } from '@ridewatch/contract/password-links';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { freshServer, openScreen } from '../../test/open.tsx';
import { type FakeServer, refusal } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(findPasswordLink, { login: 'owner1' });
});

const open = (
  more: Parameters<typeof openScreen>[2] = {},
  address = '/new-password#secret-token',
) => openScreen(server, address, { user: null, ...more });
const first = () => screen.findByLabelText('New password');
const again = () => screen.getByLabelText('Once more');
const save = () => screen.getByRole('button', { name: 'Save the password' });

describe('the page of a link for a new password', () => {
  it('names the login, sets the password, and leads to sign-in', async () => {
    server.answer(setPasswordByLink, undefined as never);
    const { hand, address } = await open();
    expect(await screen.findByText('For the username owner1')).toBeVisible();
    await hand.type(await first(), 'longer than ten');
    await hand.type(again(), 'longer than ten');
    await hand.click(save());
    expect(await screen.findByRole('heading', { name: 'The password is set' })).toBeVisible();
    expect(server.asked(setPasswordByLink)[0]?.body).toEqual({
      token: 'secret-token',
      new_password: 'longer than ten',
    });
    await hand.click(screen.getByRole('link', { name: 'Sign in' }));
    await waitFor(() => expect(address()).toMatch(/\/login$/));
  });

  it('says what is wrong with the fields before anything is sent', async () => {
    const { hand } = await open();
    await hand.click(await screen.findByRole('button', { name: 'Save the password' }));
    expect(screen.getByText('Please input a new password')).toBeVisible();
    await hand.type(await first(), 'short');
    expect(await first()).toBeInvalid();
    await hand.click(await first());
    await hand.paste('x'.repeat(260));
    expect(screen.getByText('At most 255 characters')).toBeVisible();
    await hand.clear(await first());
    await hand.type(await first(), 'short and longer');
    await hand.type(again(), 'something else');
    await hand.click(save());
    expect(screen.getByText('The passwords differ')).toBeVisible();
    expect(server.asked(setPasswordByLink)).toHaveLength(0);
  });

  it.each([
    ['as it is opened', () => server.refuse(findPasswordLink, 'invalid_link')],
    ['while the password is typed', () => server.refuse(setPasswordByLink, 'invalid_link')],
  ])('says that the link does not work, %s', async (when, refuse) => {
    refuse();
    const { hand } = await open();
    if (when !== 'as it is opened') {
      await hand.type(await first(), 'longer than ten');
      await hand.type(again(), 'longer than ten{Enter}');
    }
    expect(await screen.findByRole('heading', { name: 'This link does not work' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Sign in' })).toBeVisible();
  });

  it.each([
    ['user_blocked', 'This account is blocked'],
    ['user_inactive', 'This account is inactive'],
  ] as const)('says that its user may not sign in: %s', async (code, title) => {
    server.refuse(setPasswordByLink, code);
    const { hand } = await open();
    await hand.type(await first(), 'longer than ten');
    await hand.type(again(), 'longer than ten{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent(title);
    server.refuse(findPasswordLink, code);
    await open({ language: 'ru_RU' }, '/new-password#another-token');
    expect(await screen.findByText(/Учётная запись|учётная запись/i)).toBeVisible();
  });

  it('does not work without a token', async () => {
    await open({ language: 'ru_RU' }, '/new-password');
    expect(await screen.findByRole('heading', { name: 'Ссылка не действует' })).toBeVisible();
    expect(server.asked(findPasswordLink)).toHaveLength(0);
  });

  it('begins anew with another link that is opened in its tab', async () => {
    server.refuse(findPasswordLink, 'invalid_link');
    await open();
    await screen.findByRole('heading', { name: 'This link does not work' });
    server.answer(findPasswordLink, { login: 'owner2' });
    location.hash = '#another-token';
    expect(await screen.findByText('For the username owner2')).toBeVisible();
    expect(server.asked(findPasswordLink).at(-1)?.body).toEqual({ token: 'another-token' });
  });

  it('says that it must wait after too many attempts, and asks again', async () => {
    server.answer(findPasswordLink, () => {
      const refused = refusal('too_many_attempts');
      refused.headers.set('retry-after', '120');
      return refused;
    });
    const { hand } = await open();
    expect(await screen.findByRole('alert')).toHaveTextContent('Too many attempts');
    server.answer(findPasswordLink, { login: 'owner1' });
    await hand.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await first()).toBeVisible();
  });

  it('keeps what was typed while the server cannot be reached', async () => {
    const { hand } = await open();
    await hand.type(await first(), 'longer than ten');
    await hand.type(again(), 'longer than ten');
    server.setLink(false);
    await hand.click(save());
    expect(await screen.findByRole('alert')).toHaveTextContent('Network error');
    expect(again()).toHaveValue('longer than ten');
    server.setLink(true);
    server.answer(setPasswordByLink, undefined as never);
    await hand.click(save());
    expect(await screen.findByRole('heading', { name: 'The password is set' })).toBeVisible();
  });
});
