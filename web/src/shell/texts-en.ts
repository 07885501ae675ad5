import type { AccountTexts } from './texts-ru.ts';

/** English texts of the surroundings of signed-in screens. */
export const en: AccountTexts = {
  home: 'To the home page',
  menu: 'Main menu',
  back: 'Back',
  logout: 'Sign out',
  userMenu: 'User menu',
  changePassword: 'Change password',
  oldPassword: 'Current password',
  wrongPassword: 'The current password is wrong',
  newPassword: 'New password',
  newPasswordHint: 'At least 10 characters',
  passwordChanged: 'Password changed, other sessions are closed',
  sessions: 'My sessions',
  thisSession: 'this session',
  endSession: 'End session',
  endAllSessions: 'Sign out everywhere',
  lastUsed: 'active',
  moscowTime: 'MSK',
  stale: (status) => `The data are not refreshed: error ${status}. The last ones are shown.`,
};
