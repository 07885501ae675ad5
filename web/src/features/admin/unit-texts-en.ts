import { enForm } from '../../i18n/plural.ts';
import type { ofUnits as ru } from './unit-texts-ru.ts';

/** English texts of units: credentials. */
export const ofUnits: typeof ru = {
  credential: {
    title: 'New credential',
    text: 'Write it down now: it will not be shown again.',
    rotate: 'Replace the credential',
    connect: 'Connect',
    rotated: 'Earlier ones stop working in 24 hours.',
    revoke: 'Revoke all',
    revokeText: 'The unit can send nothing until it gets a new credential.',
    issued: (when) => `issued ${when}`,
    valid: (count) => `${count} valid ${enForm(count, 'credential', 'credentials')}`,
    none: 'no valid credential',
  },
};
