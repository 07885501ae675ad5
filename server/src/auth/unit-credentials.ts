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

/** Credentials that belong to no unit are noted together, this seldom, ms. */
const NOTE_UNKNOWN_EVERY_MS = 1_000;

/**
 * Notes the use of a credential that has ended, or of a unit that is switched off. For all that belong to no unit there
 * is one row, so that guesses store nothing.
 */
export async function noteRefusedCredential(
  db: Db,
  credential: string,
  nowMs: number,
): Promise<void> {
  const ago = (ms: number) => sql`${new Date(nowMs - ms)}::timestamptz`;
  await sql`
    with known as (
      select id from unit_credentials where secret_hash = ${hashSecret(credential)}
    ), noted as (
      update unit_credentials set refused_at = ${ago(0)}
      where id = (select id from known)
        and (refused_at is null or refused_at <= ${ago(NOTE_EVERY_MS)})
    )
    insert into unknown_credentials (refused_at)
    select ${ago(0)}
    where not exists (select from known)
      and not exists (
        select from unknown_credentials where refused_at > ${ago(NOTE_UNKNOWN_EVERY_MS)})
    on conflict (only_row) do update set refused_at = excluded.refused_at`.execute(db);
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
