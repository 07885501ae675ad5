import type { changeBuses, changeRetentions } from '@ridewatch/contract/admin-several';
import type { ResponseOf } from '@ridewatch/contract/endpoint';
import type { Named } from '@ridewatch/contract/paging';
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
  /** Says of a row with its full name what it becomes; absent: the title says it of all. */
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
      ('protocol_id' in row && row.protocol_id) ||
      '',
  );

/**
 * The name of a row with what tells it apart from others of this name: a camera and a unit with the bus, a spare unit and
 * a user with the customer, a bus with its customers.
 */
export function fullNameOfRow(row: object): string {
  const { bus, client, clients = [] } = row as Belonging;
  const owners = [bus ?? client ?? clients].flat().map(({ name }) => name);
  return [nameOfRow(row), owners.join(', ')].filter(Boolean).join(' · ');
}

/** The objects to which rows belong. */
interface Belonging {
  readonly bus?: Named | null;
  readonly client?: Named | null;
  readonly clients?: readonly Named[];
}
