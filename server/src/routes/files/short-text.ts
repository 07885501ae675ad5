import { MAX_TEXT_LENGTH, withoutInvisible } from '@ridewatch/contract/primitives';
import { storableOf } from '../../core/storable.ts';

/** Text of a file as a name: it may have any length, and characters that nobody sees or the database cannot store. */
export function shortened(text: string | null): string | null {
  if (text === null) return null;
  const short = storableOf(
    withoutInvisible(text.replace(/[\s\0]+/g, ' ')).trim(),
    MAX_TEXT_LENGTH,
  ).trim();
  return short === '' ? null : short;
}
