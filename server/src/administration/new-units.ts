// New units from a form, a table or an id that knocked. Those that speak the unit interface get a credential.
import type { Named } from '@ridewatch/contract/paging';
import type { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { sql } from 'kysely';
import { freeFrom } from '../access/unit-assignments.ts';
import { issueUnitCredentials } from '../auth/accounts.ts';
import { type Actor, insertAudits } from '../core/audit.ts';
import type { Tx } from '../core/db/db.ts';
import { refuseSharedChannels } from './camera-channels.ts';
import { refuseTakenUnit } from './unit-ids.ts';
import { makeProtocolId, type ProtocolSettings, settingsJson } from './unit-protocol.ts';

/** A new unit: with its bus, or with its customer while it is spare. */
export interface NewUnit {
  readonly device_id: string;
  readonly bus: Named | null;
  readonly client: Named | null;
  /** The protocol of a unit that does not speak the unit interface, which is known by its id. */
  readonly protocol?: UnitProtocol | null | undefined;
  /** Missing: for OsmAnd one is made. */
  readonly protocol_id?: string | null | undefined;
  readonly settings?: Partial<ProtocolSettings> | undefined;
}

/**
 * Inserts units with their audit rows, and a credential for each that speaks the unit interface.
 * @param units at least one, some hundred at most
 * @returns their ids and credentials, in the same order; null: it needs none
 * @throws AppError conflict when a bus has a unit, or has cameras that a unit's protocol cannot tell apart
 */
export async function insertUnits(
  tx: Tx,
  actor: Actor,
  units: readonly NewUnit[],
): Promise<{ id: number; credential: string | null }[]> {
  const named = units.map(({ settings: _, ...unit }) => ({
    ...unit,
    ...(unit.protocol === 'osmand' && { protocol_id: unit.protocol_id ?? makeProtocolId() }),
  }));
  const made = await refuseTakenUnit(() =>
    tx
      .insertInto('units')
      .values(
        named.map(({ bus, client, ...unit }, at) => ({
          ...unit,
          // An insert of several rows names the same columns in each.
          protocol_settings: settingsJson(units[at]?.settings ?? {}),
          workplace_id: bus?.id ?? null,
          owner_id: client?.id ?? null,
          created_at: new Date(actor.atMs),
          ...(bus && { assigned_from: freeFrom(sql`${bus.id}::bigint`) }),
        })),
      )
      .returning(['id', 'device_id'])
      .execute(),
  );
  const ofTerminals = units.flatMap(({ protocol, bus }) =>
    protocol === 'jt808' && bus ? bus.id : [],
  );
  if (ofTerminals.length > 0) await refuseSharedChannels(tx, ofTerminals, 'bus_id');
  const idOf = new Map(made.map(({ id, device_id }) => [device_id, id]));
  const ids = units.map(({ device_id }) => idOf.get(device_id) ?? 0);
  const keyed = ids.filter((_, at) => (units[at]?.protocol ?? null) === null);
  const issued = keyed.length === 0 ? [] : await issueUnitCredentials(tx, keyed, actor.atMs);
  const credentials = new Map(keyed.map((id, at) => [id, issued[at] ?? null]));
  await insertAudits(
    tx,
    actor,
    named.map(({ protocol_id, ...unit }, at) => ({
      ...{ action: 'create_unit', objectType: 'unit', objectId: ids[at] ?? 0 },
      after: {
        ...unit,
        ...(protocol_id !== undefined && unit.protocol !== 'osmand' && { protocol_id }),
        ...(unit.protocol === 'osmand' && { has_new_id: true }),
        ...units[at]?.settings,
      },
    })),
  );
  return ids.map((id) => ({ id, credential: credentials.get(id) ?? null }));
}
