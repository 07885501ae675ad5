import type { Texts } from '../ru/catalogue.ts';

export const login: Texts['login'] = {
  title: 'Sign in',
  username: 'Username',
  password: 'Password',
  submit: 'Sign in',
  forgot: 'Forgot your password? Ask the administrator for a link to set a new one.',
  usernameRequired: 'Please input your username',
  passwordRequired: 'Please input your password',
  tooLong: 'At most 255 characters',
  demo: 'Demo: pick a username, the password is demo',
  setup: {
    title: 'There is no administrator yet',
    text: 'The link that makes one is printed in the terminal of the server, or in the log of its service. It works for 24 hours; a restart of the server prints another.',
  },
  byProvider: (name) => `Sign in with ${name}`,
  failures: {
    fail_login: { title: 'Login failed', text: () => 'Check username and password.' },
    fail_code: { title: 'Login failed', text: () => 'Check the code.' },
    fail_login_unexpected: {
      title: 'Unexpected error',
      text: () => 'An unexpected login error has occurred. Try to come back later.',
    },
    fail_login_network: {
      title: 'Network error',
      text: () =>
        'There was a connection error to the service. Check your connection and service availability.',
    },
    openid_failed: {
      title: 'Login failed',
      text: () =>
        'The sign-in provider did not confirm who you are, or its confirmation was already used. Please sign in again.',
    },
    openid_unknown_user: {
      title: 'There is no such user here',
      text: (email) =>
        `The sign-in provider knows you, but no user is set up for you here. Write to the administrator at ${email}.`,
    },
    token_expired: {
      title: 'Session expired',
      text: () => 'Sorry, your session is expired. Please, login again.',
    },
    session_ended: {
      title: 'Session ended',
      text: () =>
        'It was ended on another device, the password was changed, or an administrator changed your access. Please sign in again.',
    },
    user_blocked: {
      title: 'This account is blocked',
      text: () => 'To resume service, pay off the debt and contact the service administrator.',
    },
    user_inactive: {
      title: 'This account is inactive',
      text: (email) => `To activate it, contact the service administrator at ${email}.`,
    },
    too_many_attempts: {
      title: 'Too many attempts',
      text: (_email, minutes) => `You can sign in again in ${minutes} min.`,
    },
  },
};
