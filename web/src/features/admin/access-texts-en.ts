import type { access as ru } from './access-texts-ru.ts';

/** English texts of how a user gets in again, and of what a user sees. */
export const access: typeof ru = {
  view: 'What the user sees',
  viewText: (minutes) =>
    `Opens the product in this tab as the user sees it, for ${minutes} minutes. Nothing can be changed, and the log says who looked.`,
  viewBegin: 'View as this user',
  viewClosed: 'The user or its customer is blocked, so it sees nothing. Enable it first.',
  factor: 'Two-factor sign-in',
  remove: 'Turn two-factor sign-in off',
  removeText: 'The password is enough to sign in until the user turns it on again.',
  openid: 'Sign-in provider',
  unlink: 'Unlink the sign-in provider',
  unlinkText:
    'Sessions begun through the provider end. At the next sign-in through it, the user is found by login again.',
  title: 'New password',
  note: 'The user sets a password with the link. It works once, within 24 hours; an earlier link stops working.',
  mail: 'Send by mail',
  mailHint: 'Leave it empty to pass the link on yourself',
  make: 'Make a link',
  closed: 'The user or its customer is blocked, so a link would be of no use. Enable it first.',
  shown: 'Link for a new password',
  once: 'Copy it now: it will not be shown again.',
  until: (when) => `It works until ${when}.`,
  mails: {
    none: '',
    sent: 'The mail was sent.',
    failed: 'The mail could not be sent: pass the link on yourself.',
    unavailable: 'This installation sends no mail: pass the link on yourself.',
  },
};
