import type { Texts } from '../ru/catalogue.ts';

export const shell: Texts['shell'] = {
  home: 'To the home page',
  menu: 'Main menu',
  back: 'Back',
  logout: 'Sign out',
  userMenu: 'User menu',
  language: 'Language',
  theme: 'Theme',
  light: 'Light',
  dark: 'Dark',
  system: 'As the system',
  changePassword: 'Change password',
  oldPassword: 'Current password',
  newPassword: 'New password',
  newPasswordHint: 'At least 10 characters',
  passwordChanged: 'Password changed, other sessions are closed',
  sessions: 'My sessions',
  thisSession: 'this session',
  endSession: 'End session',
  endAllSessions: 'Sign out everywhere',
  lastUsed: 'active',
};
