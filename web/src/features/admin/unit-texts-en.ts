import { enForm } from '../../i18n/plural.ts';
import type { ofUnits as ru } from './unit-texts-ru.ts';

/** English texts of units: credentials, and protocols other than the unit interface. */
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
  protocols: { own: 'own', egts: 'EGTS' },
  weakIdentity: 'a number is no password',
  egts: {
    counts: { delta: 'who came since', cumulative: 'what the counter shows' },
    raw_flag: { low: 'lowest bit', high: 'highest bit', inverted: 'lowest bit, inverted' },
    module_bytes: { little: 'low byte first', big: 'high byte first' },
    hint: 'The standard is the first one. Choose another if the maker of the unit says so',
  },
};
