import type { SignInTexts } from './texts-ru.ts';

/** English texts of sign-in that load when they are needed. */
export const en: SignInTexts = {
  code: 'Code',
  codeHint: 'Six digits from the app, or a recovery code',
  codeRequired: 'Please input the code',
  codeWrong: 'The code is wrong, or was used already',
  title: 'New password',
  forLogin: (login) => `For the username ${login}`,
  submit: 'Save the password',
  invalidTitle: 'This link does not work',
  invalidText:
    'It was used, has expired, or was replaced by another one. Ask an administrator for a new link.',
  doneTitle: 'The password is set',
  doneText: 'All earlier sessions have ended. Sign in with the new password.',
  toSignIn: 'Sign in',
  signingIn: 'Signing in …',
  setupTitle: 'The first administrator',
  setupText:
    'This installation is new. Choose the username and the password of its administrator, who then adds everybody else.',
  setupLogin: 'Username',
  setupSubmit: 'Create and sign in',
  setupInvalidText:
    'It was used, has expired, or an administrator exists by now. Without one, a restart of the server prints another link.',
  loginRequired: 'Please input a username',
  loginConfusing: 'No invisible characters, no spaces at its ends, 255 characters at most',
  loginTaken: 'Another user has this username',
};
