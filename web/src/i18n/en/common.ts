import { formatNumber, spanOf } from '../format.ts';
import { enForm } from '../plural.ts';
import type { Texts } from '../ru/catalogue.ts';

export const common: Texts['common'] = {
  buses: (count) => `${formatNumber(count)} ${enForm(count, 'bus', 'buses')}`,
  ago: (spanMs) => {
    const { count, unit } = spanOf(spanMs);
    return `${count} ${unit} ago`;
  },
  cancel: 'Cancel',
  save: 'Save',
  close: 'Close',
  retry: 'Try again',
  copy: 'Copy',
  copied: 'Copied',
  loading: 'Loading...',
  locked: 'You view as another user: nothing can be changed',
  online: 'online',
  offline: 'offline',
  connectionLost: 'No connection to the server. Data will refresh when it is back.',
  loadFailed: 'Could not load',
  notifications: 'Notifications',
  crashTitle: 'The page did not open',
  crashText: 'The program failed, or was updated while the page was open.',
  reload: 'Reload the page',
};
