import { SPACES, TWINS } from '@ridewatch/contract/folded';
import { type RawBuilder, sql } from 'kysely';

/**
 * A text of the database as a search compares it, with what `folded` makes of the searched text
 * (contract/src/folded.ts).
 */
export const foldedText = (text: RawBuilder<unknown>): RawBuilder<string> =>
  // The collation lowers Cyrillic letters in a database of any locale, as toLowerCase does. Letters of the first list
  // without one in the second are left out: spaces.
  sql`translate(lower(${text} collate natural_ru), ${`${TWINS.from}${SPACES}`}, ${TWINS.to})`;
