import type { changeBuses, changeRetentions } from '@ridewatch/contract/admin-several';
import type { ResponseOf } from '@ridewatch/contract/endpoint';
import { fullName } from '../../i18n/format.ts';
import type { AnyRow } from './section.ts';

/** The rows that become different; of routes, customers and retention also what is replaced. */
export type Would = ResponseOf<typeof changeBuses> & ResponseOf<typeof changeRetentions>;

/** One call about the chosen rows. @param preview it says what would become different, and changes nothing */
export type Change = (ids: number[], preview: boolean) => Promise<Would>;

/** A change that the user has chosen. */
export interface Wanted {
  readonly title: string;
  /** Says further effects. */
  readonly notesOf?: (would: Would) => readonly string[];
  /** Says of a row with a name what it becomes; absent: the title says it of all. */
  readonly lineOf?: (row: AnyRow, name: string, would: Would) => string;
  readonly change: Change;
}

/** Rows that are chosen for one change, by id. */
export type ChosenRows = ReadonlyMap<number, AnyRow>;

/** The name of a row of any section, of a customer with its surname. */
export const nameOfRow = (row: object): string =>
  String(
    ('login' in row && row.login) ||
      ('name' in row && typeof row.name === 'string' && fullName({ ...row, name: row.name })) ||
      ('device_id' in row && row.device_id) ||
      '',
  );
