// Reads the columns of a unit that does not speak the unit interface: its protocol, its id in it, its settings. An empty
// cell leaves what is stored.
import {
  protocolIdFault,
  protocolIdOf,
  type UnitProtocol,
} from '@ridewatch/contract/unit-protocols';
import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import type { Viewer } from '../../core/viewer.ts';
import type { ProtocolSettings } from '../unit-protocol.ts';
import type { RowReader } from './reading.ts';
import { createOnce } from './row-plan.ts';
import type { StoredUnit } from './stored.ts';
import { PROTOCOLS, settingChoices } from './words.ts';

/** The protocol of a unit as a row gives it; fields that it leaves as they are, are missing. */
interface RowProtocol {
  readonly spoken: {
    readonly protocol?: UnitProtocol | null;
    readonly protocol_id?: string | null;
  };
  readonly settings: Partial<ProtocolSettings>;
}

/** Reads the protocol of a row. @param unit undefined: a new one */
type ReadProtocol = (reader: RowReader, unit: StoredUnit | undefined) => RowProtocol;

/** Makes the reader of a table. @param ids that the table names */
export async function createReadProtocol(
  db: Db,
  { role }: Viewer,
  ids: readonly string[],
): Promise<ReadProtocol> {
  // An id is all that such a unit shows of itself, and others do not learn which ones there are: they may give none.
  const owners = role === 'ADMIN' ? await findOwners(db, ids) : new Map<string, number>();
  const once = createOnce();

  const readId = (
    reader: RowReader,
    protocol: UnitProtocol,
    unit: StoredUnit | undefined,
  ): string | undefined => {
    const kept = unit?.protocol === protocol ? unit.protocol_id : null;
    const id = protocolIdOf(protocol, reader.text('protocol_id')) || kept;
    if (id === null) {
      // The server makes one for OsmAnd.
      if (protocol !== 'osmand') reader.refuse('protocol_id', 'required');
      return undefined;
    }
    const key = `${protocol} ${id}`;
    const owner = owners.get(key);
    // A stored id may be of a form that was taken before.
    if (id !== kept && protocolIdFault(protocol, id) !== undefined) {
      reader.refuse('protocol_id', 'protocol_id', { words: [protocol] });
    } else if (owner !== undefined && owner !== unit?.id) reader.refuse('protocol_id', 'taken');
    once(reader, 'protocol_id', key);
    return id;
  };

  const readSpoken = (reader: RowReader, unit: StoredUnit | undefined): RowProtocol['spoken'] => {
    const chosen = reader.choice('protocol', PROTOCOLS);
    const protocol = chosen === undefined ? (unit?.protocol ?? null) : chosen;
    if (protocol !== null) {
      const protocol_id = readId(reader, protocol, unit);
      return { protocol, ...(protocol_id !== undefined && { protocol_id }) };
    }
    if (chosen === null) return { protocol, protocol_id: null };
    if (reader.text('protocol_id') !== '') reader.refuse('protocol', 'required');
    return {};
  };

  const readSettings = (reader: RowReader): Partial<ProtocolSettings> =>
    Object.fromEntries(
      Object.entries(settingChoices).flatMap(([column, choice]) => {
        const value = reader.choice<string | number>(column, choice);
        return value === undefined ? [] : [[column, value]];
      }),
    );

  return (reader, unit) => {
    const read = { spoken: readSpoken(reader, unit), settings: readSettings(reader) };
    if (role === 'ADMIN') return read;
    const said = { ...read.spoken, ...read.settings };
    for (const [column, value] of Object.entries(said)) {
      const before = unit?.[column as keyof StoredUnit] ?? null;
      if (value !== before) reader.refuse(column, 'admin_protocol');
    }
    return { spoken: {}, settings: {} };
  };
}

/** Finds the units of all customers that have one of the ids, by protocol and id. */
async function findOwners(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: number; key: string }>`
    select id, protocol || ' ' || protocol_id as key from units
    where protocol_id = any(${[...ids, ...ids.map((id) => protocolIdOf('jt808', id))]}::text[])`.execute(
    db,
  );
  return new Map(rows.map(({ id, key }) => [key, id]));
}
