import { describe, expect, it } from 'vitest';
import { login as en } from './en/login.ts';
import { login as ru } from './ru/login.ts';

/** Spec section 8, word for word. */
const catalogue = {
  fail_login: ['Login failed', 'Check username and password.'],
  fail_login_unexpected: [
    'Unexpected error',
    'An unexpected login error has occurred. Try to come back later.',
  ],
  fail_login_network: [
    'Network error',
    'There was a connection error to the service. Check your connection and service availability.',
  ],
  token_expired: ['Session expired', 'Sorry, your session is expired. Please, login again.'],
  user_blocked: [
    'This account is blocked',
    'To resume service, pay off the debt and contact the service administrator.',
  ],
  user_inactive: [
    'This account is inactive',
    'To activate it, contact the service administrator at help@example.org.',
  ],
} as const;
type Key = keyof typeof catalogue;

describe('the error catalogue of sign-in', () => {
  it.each(Object.keys(catalogue) as Key[])('says %s as the specification does', (key) => {
    const { title, text } = en.failures[key];
    expect([title, text('help@example.org')]).toEqual(catalogue[key]);
  });

  it.each(Object.keys(catalogue) as Key[])('says %s in Russian, too', (key) => {
    const { title, text } = ru.failures[key];
    for (const said of [title, text('help@example.org')]) expect(said).toMatch(/[а-яё]/i);
  });
});
