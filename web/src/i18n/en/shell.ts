import type { Texts } from '../ru/catalogue.ts';

export const shell: Texts['shell'] = {
  home: 'Home',
  buses: 'Buses',
  ungrouped: 'Buses',
  bus: 'Bus',
  review: 'To review',
  stats: 'Statistics',
  news: 'News',
  faq: 'Questions',
  reports: 'Reports',
  advancedReport: 'Advanced report',
  testExport: 'Test export',
  admin: 'Administration',
  language: 'Language',
  theme: 'Theme',
  light: 'Light',
  dark: 'Dark',
  system: 'As the system',
};
