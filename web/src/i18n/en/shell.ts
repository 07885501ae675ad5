import type { Texts } from '../ru/catalogue.ts';

export const shell: Texts['shell'] = {
  buses: 'Buses',
  ungrouped: 'Buses',
  bus: 'Bus',
  review: 'To review',
  stats: 'Statistics',
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
