import type { Texts } from '../ru/catalogue.ts';

export const shell: Texts['shell'] = {
  home: 'To the home page',
  buses: 'Buses',
  ungrouped: 'Buses',
  bus: 'Bus',
  review: 'To review',
  menu: 'Main menu',
  back: 'Back',
  logout: 'Sign out',
  userMenu: 'User menu',
  language: 'Language',
  theme: 'Theme',
  light: 'Light',
  dark: 'Dark',
  system: 'As the system',
};
