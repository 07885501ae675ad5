import { type RawBuilder, sql } from 'kysely';
import { knownUnitOf, pastAssignmentsOf, type StoredUnit } from '../access/unit-assignments.ts';
import type { Db } from '../core/db/db.ts';
import type { KnownUnit } from '../core/viewer.ts';
import { hashSecret, UNIT_PREFIX } from './tokens.ts';

/** A unit and the row of its credential. */
export interface UnitOfCredential {
  readonly credentialId: number;
  /** When the credential ends, ms since 1970 UTC; infinite for one without an end. */
  readonly endsMs: number;
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
 * Creates the notes of one process about refused credentials: those that have ended, those of units that are switched
 * off, and texts that belong to no unit. The last share one row, which a process writes once a second at most: guesses
 * store nothing of their own, and wait for one read at most, beside the one that refused them.
 * @returns takes what was sent as a credential and the present, ms since 1970 UTC
 */
export function createRefusalNotes(db: Db): (credential: string, nowMs: number) => Promise<void> {
  let notedMs = Number.NEGATIVE_INFINITY;
  return async (credential, nowMs) => {
    // A part of a credential is noted without the look-up: a double click selects no more than up to a hyphen.
    if (credential.startsWith(UNIT_PREFIX) && (await noteKnown(db, credential, nowMs))) return;
    // A clock may have been set back.
    if (Math.abs(nowMs - notedMs) < NOTE_UNKNOWN_EVERY_MS) return;
    notedMs = nowMs;
    await sql`
      insert into unknown_credentials (refused_at) values (${new Date(nowMs)})
      on conflict (only_row) do update set refused_at = excluded.refused_at
      where ${isDue(sql`unknown_credentials.refused_at`, NOTE_UNKNOWN_EVERY_MS, nowMs)}`.execute(
      db,
    );
  };
}

/** @returns whether the credential is that of a unit */
async function noteKnown(db: Db, credential: string, nowMs: number): Promise<boolean> {
  const { rows } = await sql`
    with known as (
      select id from unit_credentials where secret_hash = ${hashSecret(credential)}
    ), noted as (
      update unit_credentials set refused_at = ${new Date(nowMs)}
      where id = (select id from known)
        and (refused_at is null or ${isDue(sql`refused_at`, NOTE_EVERY_MS, nowMs)})
    )
    select from known`.execute(db);
  return rows.length > 0;
}

// A note of the future is one from before the clock was set back.
function isDue(notedAt: RawBuilder<unknown>, everyMs: number, nowMs: number): RawBuilder<boolean> {
  return sql<boolean>`(${notedAt} <= ${new Date(nowMs - everyMs)} or ${notedAt} > ${new Date(nowMs)})`;
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
      'expires_at',
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

interface StoredCredential {
  readonly credentialId: number;
  readonly expires_at: Date | null;
}

function unitOf({
  credentialId,
  expires_at,
  ...unit
}: StoredUnit & StoredCredential): UnitOfCredential {
  const endsMs = expires_at?.getTime() ?? Number.POSITIVE_INFINITY;
  return { credentialId, endsMs, unit: knownUnitOf(unit) };
}
