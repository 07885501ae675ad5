import type { AccountTexts } from './texts-ru.ts';

/** English texts of the account screen. */
export const en: AccountTexts = {
  title: 'Account',
  preferences: 'Appearance',
  password: 'Password',
  oldPassword: 'Current password',
  wrongPassword: 'The current password is wrong',
  passwordChanged: 'Password changed, other sessions are closed',
  sessions: 'My sessions',
  sessionsInView: 'A view as another user does not show them.',
  latestSessions: (shown, all) => `The latest ${shown} of ${all} are shown.`,
  thisSession: 'this session',
  endSession: 'End session',
  endAllSessions: 'Sign out everywhere',
  everywhere: {
    title: 'Sign out everywhere?',
    text: (count) => {
      if (count === 1)
        return 'This session ends, there is no other. You will have to sign in again.';
      const all = count === undefined ? 'All your sessions' : `All ${count} sessions`;
      return `${all} end, this one too. You will have to sign in again on each device.`;
    },
    submit: 'End the sessions',
  },
  yandexBrowser: 'Yandex Browser',
  unknownProgram: 'Unknown program',
  lastUsed: 'active',
  moscowTime: 'MSK',
  factor: {
    title: 'Two-factor sign-in',
    note: 'Sign-in asks for a code from an app on your phone besides the password. A stolen password alone opens nothing.',
    off: 'Off',
    on: (since) => `On since ${since} MSK`,
    left: (count) => `recovery codes left: ${count}`,
    begin: 'Turn on',
    beginText: 'Enter your password first.',
    next: 'Next',
    scan: 'Open an authenticator app (2FAS, Google Authenticator, Aegis) and point its camera at the square.',
    qr: 'QR code for an authenticator app',
    typed: 'No camera? Type the key:',
    code: 'Code from the app',
    codeHint: 'Six digits',
    anyCode: 'Code',
    anyCodeHint: 'Six digits from the app, or a recovery code',
    wrongCode: 'The code is wrong, or was used already',
    confirm: 'Turn two-factor sign-in on',
    codesTitle: 'Recovery codes',
    codesText:
      'Write them down: they will not be shown again. Without your phone, any of them replaces a code from the app, each once.',
    copyAll: 'Copy the codes',
    saveAll: 'Save as a file',
    fileName: 'ridewatch-recovery-codes.txt',
    written: 'I have saved them',
    unsavedTitle: 'The codes are not saved',
    unsavedText: 'They will not be shown again. Copy them or save them as a file first.',
    stay: 'Stay',
    leaveCodes: 'Leave without them',
    renew: 'New recovery codes',
    renewText: 'The earlier ones will not work any more.',
    remove: 'Turn off',
    removeText: 'The password alone will be enough to sign in.',
    removed: 'Two-factor sign-in is off',
    password: 'Password',
    required: 'your role needs it',
    requiredTitle: 'Set up two-factor sign-in',
    requiredNote:
      'Your role needs a code from an app besides the password. Everything else opens once it is set up.',
    leave: 'Sign out',
  },
};
