import { sql } from 'kysely';
import { knownUnitOf, pastAssignmentsOf, type StoredUnit } from '../access/unit-assignments.ts';
import type { Db } from '../core/db/db.ts';
import type { KnownUnit } from '../core/viewer.ts';
import { hashSecret } from './tokens.ts';

/** A unit and the row of its credential. */
export interface UnitOfCredential {
  readonly credentialId: number;
  readonly unit: KnownUnit;
}

/** Finds the unit of a credential that is valid at `nowMs`. */
export async function findUnitByCredential(
  db: Db,
  credential: string,
  nowMs: number,
): Promise<UnitOfCredential | undefined> {
  const row = await validCredentials(db, nowMs)
    .where('secret_hash', '=', hashSecret(credential))
    .executeTakeFirst();
  return row === undefined ? undefined : unitOf(row);
}

/** A credential that is used over and over is noted this seldom, ms. */
const NOTE_EVERY_MS = 10_000;

/** Notes the use of a credential that has ended, or of a unit that is switched off; of an unknown one nothing. */
export async function noteRefusedCredential(
  db: Db,
  credential: string,
  nowMs: number,
): Promise<void> {
  await db
    .updateTable('unit_credentials')
    .set({ refused_at: new Date(nowMs) })
    .where('secret_hash', '=', hashSecret(credential))
    .where((eb) =>
      eb.or([
        eb('refused_at', 'is', null),
        eb('refused_at', '<=', new Date(nowMs - NOTE_EVERY_MS)),
      ]),
    )
    .execute();
}

/** The units of cached credentials, by the ids of their rows, without those that are no longer valid. */
export async function listUnitsOfCredentials(
  db: Db,
  credentialIds: readonly number[],
  nowMs: number,
): Promise<Map<number, UnitOfCredential>> {
  const rows = await validCredentials(db, nowMs)
    .where(sql<boolean>`unit_credentials.id = any(${[...credentialIds]}::bigint[])`)
    .execute();
  return new Map(rows.map((row) => [row.credentialId, unitOf(row)]));
}

function validCredentials(db: Db, nowMs: number) {
  return db
    .selectFrom('unit_credentials')
    .innerJoin('units', 'units.id', 'unit_credentials.unit_id')
    .select([
      'unit_credentials.id as credentialId',
      'units.id as unitId',
      'device_id as deviceId',
      'workplace_id as busId',
      'assigned_from',
    ])
    .select(pastAssignmentsOf(sql.ref('units.id')).as('pastAssignments'))
    .where('revoked_at', 'is', null)
    .where('units.enabled', '=', true)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', new Date(nowMs))]));
}

function unitOf({
  credentialId,
  ...unit
}: StoredUnit & { readonly credentialId: number }): UnitOfCredential {
  return { credentialId, unit: knownUnitOf(unit) };
}
