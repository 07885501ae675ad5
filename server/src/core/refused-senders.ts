// Senders that the address lists of unit ports refuse (EGTS_FROM, JT808_FROM, OSMAND_FROM). They look to a person who connects
// one as if nothing came.
import type { CoreDeps } from './core-deps.ts';
import type { Db } from './db/db.ts';

/** A process notes one refusal of a port in this time, whatever comes, ms. */
const NOTE_EVERY_MS = 5000;
/** A unit tries again within minutes. An older refusal may be of another configuration, ms. */
const TOLD_MS = 3_600_000;

/** When each process, which has one set of metrics, noted a refusal of each port last, by its clock that only grows, ms. */
const notedMs = new WeakMap<CoreDeps['metrics'], Map<string, number>>();

export type RefusalDeps = Pick<CoreDeps, 'database' | 'clock' | 'metrics'>;

/**
 * Notes that an address was refused, for all processes; only the last one of a port is kept. Nobody waits for it, and without
 * the database it is lost.
 * @param name of the port's listener
 * @param address empty when the connection was closed meanwhile: then nothing is noted
 */
export function noteRefused(
  { database, clock, metrics }: RefusalDeps,
  name: string,
  address: string,
): void {
  if (address === '') return;
  const own = notedMs.get(metrics) ?? new Map<string, number>();
  notedMs.set(metrics, own);
  const elapsedMs = clock.elapsedMs();
  if (elapsedMs - (own.get(name) ?? Number.NEGATIVE_INFINITY) < NOTE_EVERY_MS) return;
  own.set(name, elapsedMs);
  const refused = { address, refused_at: new Date(clock.nowMs()) };
  void database.db
    .insertInto('refused_senders')
    .values({ listener: name, ...refused })
    .onConflict((conflict) => conflict.column('listener').doUpdateSet(refused))
    .execute()
    .catch(() => undefined);
}

/**
 * Finds the address that each port refused last, by the listener's name, if that was within the last hour.
 * @param nowMs ms since 1970 UTC
 */
export async function listRefused(
  db: Db,
  nowMs: number,
): Promise<Map<string, { address: string; at: string }>> {
  const rows = await db
    .selectFrom('refused_senders')
    .selectAll()
    .where('refused_at', '>', new Date(nowMs - TOLD_MS))
    .execute();
  return new Map(
    rows.map(({ listener, address, refused_at }) => [
      listener,
      { address, at: refused_at.toISOString() },
    ]),
  );
}
