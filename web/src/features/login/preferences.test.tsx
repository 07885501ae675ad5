// Language and theme are switched before anybody is signed in, on every page that opens without sign-in.
import { finishOpenid } from '@ridewatch/contract/openid';
import { findPasswordLink } from '@ridewatch/contract/password-links';
import { findSetupLink } from '@ridewatch/contract/setup-links';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(findPasswordLink, { login: 'owner1' });
  server.answer(findSetupLink, undefined as never);
  server.refuse(finishOpenid, 'openid_failed');
});

const pressed = (name: string) => screen.getByRole('button', { name, pressed: true });

describe.each([
  ['/login', 'Вход', 'Sign in'],
  ['/openid?code=abc&state=s', 'Вход', 'Sign in'],
  ['/new-password#secret-token', 'Новый пароль', 'New password'],
  ['/setup#secret-token', 'Первый администратор', 'The first administrator'],
])('on %s', (address, inRussian, inEnglish) => {
  const open = (device: 'desktop' | 'phone' = 'desktop') =>
    openScreen(server, address, { user: null, language: 'ru_RU', device });

  it('the language is switched, there and back, and stays for the next visit', async () => {
    const { hand } = await open('phone');
    expect(await screen.findByRole('heading', { name: inRussian })).toBeVisible();
    await hand.click(screen.getByRole('button', { name: 'English' }));
    expect(await screen.findByRole('heading', { name: inEnglish })).toBeVisible();
    expect(pressed('English')).toBeVisible();
    expect(document.documentElement).toHaveAttribute('lang', 'en');
    expect(localStorage.getItem('ridewatch.language')).toBe('"en_US"');
    await hand.click(screen.getByRole('button', { name: 'Русский' }));
    expect(await screen.findByRole('heading', { name: inRussian })).toBeVisible();
    expect(document.documentElement).toHaveAttribute('lang', 'ru');
  });

  it('the theme is switched, and stays for the next visit', async () => {
    const { hand } = await open();
    await screen.findByRole('heading', { name: inRussian });
    for (const [name, theme] of [
      ['Тёмная', 'dark'],
      ['Светлая', 'light'],
    ] as const) {
      await hand.click(screen.getByRole('button', { name }));
      await waitFor(() => expect(document.documentElement).toHaveAttribute('data-theme', theme));
      expect(pressed(name)).toBeVisible();
      expect(localStorage.getItem('ridewatch.theme')).toBe(`"${theme}"`);
    }
  });

  it('the guide opens beside the page', async () => {
    await open();
    const link = await screen.findByRole('link', { name: 'Справка' });
    expect(link).toHaveAttribute('target', '_blank');
    expect(link).toHaveAttribute('href', expect.stringMatching(/^\/help\/./));
  });
});
