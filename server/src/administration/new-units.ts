// New units, each with a credential, from a form, a table or an id that knocked.
import type { Named } from '@ridewatch/contract/paging';
import type { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { sql } from 'kysely';
import { freeFrom } from '../access/unit-assignments.ts';
import { issueUnitCredentials } from '../auth/accounts.ts';
import { type Actor, insertAudits } from '../core/audit.ts';
import type { Tx } from '../core/db/db.ts';
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
 * Inserts units with a credential each and their audit rows.
 * @param units at least one, some hundred at most
 * @returns their ids and credentials, in the same order
 * @throws AppError conflict when a bus has a unit
 */
export async function insertUnits(
  tx: Tx,
  actor: Actor,
  units: readonly NewUnit[],
): Promise<{ id: number; credential: string }[]> {
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
  const idOf = new Map(made.map(({ id, device_id }) => [device_id, id]));
  const ids = units.map(({ device_id }) => idOf.get(device_id) ?? 0);
  const credentials = await issueUnitCredentials(tx, ids, actor.atMs);
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
  return ids.map((id, at) => ({ id, credential: credentials[at] ?? '' }));
}
