import type { AuditAction } from '@ridewatch/contract/action-words';
import type { Db } from './db/db.ts';

/** The author of a command, its time, and its request. */
export interface Actor {
  readonly userId?: number | null;
  readonly unitId?: number | null;
  readonly requestId?: string;
  readonly address?: string;
  /** The loaded table whose rows give the commands. */
  readonly importId?: number;
  /** Time of the command by the process's clock, ms since 1970 UTC. */
  readonly atMs: number;
}

export interface AuditEntry {
  /** The command's name: `set_group`. */
  readonly action: AuditAction;
  readonly objectType: string;
  readonly objectId?: string | number;
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * Writes the one audit row of a command. Call it in the command's transaction, so that neither exists without the
 * other. Never put secrets into before and after.
 */
export async function insertAudit(tx: Db, actor: Actor, entry: AuditEntry): Promise<void> {
  await insertAudits(tx, actor, [entry]);
}

/** Writes the audit rows of several objects that one command creates. @param entries at least one, some hundred at most */
export async function insertAudits(
  tx: Db,
  actor: Actor,
  entries: readonly AuditEntry[],
): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values(
      entries.map((entry) => ({
        at: new Date(actor.atMs),
        user_id: actor.userId ?? null,
        unit_id: actor.unitId ?? null,
        request_id: actor.requestId ?? null,
        address: actor.address ?? null,
        import_id: actor.importId ?? null,
        action: entry.action,
        object_type: entry.objectType,
        object_id: entry.objectId === undefined ? null : String(entry.objectId),
        before: jsonOf(entry.before),
        after: jsonOf(entry.after),
      })),
    )
    .execute();
}

// Nothing is a null of the database, not of JSON.
const jsonOf = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value);
