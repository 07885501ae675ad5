// The buses that a row of a table may mean.
import type { Named } from '@ridewatch/contract/paging';
import type { ByName } from './known.ts';
import { keyOf, type RowReader } from './reading.ts';
import { namesFor } from './row-plan.ts';
import type { StoredBus } from './stored.ts';

/** The bus that a row names, with the help of its customer where several have that name. */
export function findBus(
  reader: RowReader,
  known: ByName<StoredBus>,
  client: Named | undefined,
): StoredBus | undefined {
  if (reader.text('bus') === '') return undefined;
  const named = known.get(keyOf(reader.text('bus'))) ?? [];
  const own = client
    ? named.filter(({ clients }) => clients.some(({ id }) => id === client.id))
    : named;
  const [bus, other] = own;
  if (bus === undefined) reader.refuse('bus', 'unknown');
  else if (other) refuseSeveral(reader, 'bus', own, client);
  return bus;
}

/** Notes that a row may mean several buses. @param client the one that the row names */
export function refuseSeveral(
  reader: RowReader,
  column: string,
  buses: readonly StoredBus[],
  client: Named | undefined,
): void {
  const owners = client ? [client] : buses.flatMap(({ clients }) => clients);
  reader.refuse(column, 'several', { words: namesFor(owners) });
}

/** The customers of the buses that a row may mean. @param column the one that names the bus */
export const ownersOf = (
  reader: RowReader,
  known: ByName<StoredBus>,
  column: string,
): readonly Named[] =>
  (known.get(keyOf(reader.text(column))) ?? []).flatMap(({ clients }) => clients);
