import type { KeyTexts } from './texts-ru.ts';

/** English texts of API keys. */
export const en: KeyTexts = {
  title: 'API keys',
  note: 'With a key a program can read what you see, and cannot change anything.',
  access: 'Access',
  customerNote:
    'With this key a program can read what its customer sees, and cannot change anything.',
  scopes: {
    buses: 'Buses and routes',
    counts: 'Fragments and counts',
    positions: 'Positions and laps',
    statistics: 'Statistics and exports',
    money: 'Calculations and prices',
    video: 'Video',
  },
  name: 'Name',
  scopesLabel: 'What it may read',
  noScope: 'Choose at least one',
  lastDay: 'Last day',
  noLastDay: 'no expiry',
  clearLastDay: 'Remove the expiry',
  created: (who, when) => `created by ${who}, ${when}`,
  createdBy: 'Created by',
  lastUsed: 'Last request',
  neverUsed: 'never',
  expired: 'expired',
  add: 'New key',
  create: 'Create the key',
  none: 'No keys',
  madeTitle: 'New API key',
  madeText: 'Save it now: it will not be shown again. Programs send it as a Bearer token.',
  revoke: 'Revoke',
  revokeText: 'Programs with this key get no more data from now on.',
  revoked: 'The key is revoked',
  tooMany: 'There are fifty keys already: revoke some',
  passed: 'This day has passed',
};
