// The test mode of a unit. Its records are stored with the unit and without the bus, so that no count, hour, lap or
// statistic has them; positions from its beginning on are in no lap. The release gives them to the bus (release-test.ts).
import { sql } from 'kysely';
import type { Administered, UnitRow } from '../access/administration.ts';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Tx } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import { beginRelease } from './release-test.ts';

/**
 * Begins or ends the test mode of a unit; nothing happens when it is so already.
 * @throws AppError conflict while its last test is still being released
 */
export async function changeTestMode(
  tx: Tx,
  actor: Actor,
  unit: Administered<UnitRow>,
  { test }: { readonly test: boolean },
): Promise<void> {
  const { rows } = await sql<{ since: Date | null; isReleasing: boolean }>`
    select test_since as since,
      exists (select from test_releases where unit_id = units.id) as "isReleasing"
    from units where id = ${unit.id} for no key update`.execute(tx);
  const [stored] = rows;
  if (stored === undefined) throw notFound();
  if ((stored.since !== null) === test) return;
  if (test && stored.isReleasing) {
    const message = 'What the unit sent in its last test is still being counted.';
    throw new AppError('conflict', message, { field: 'test' });
  }
  // The process that stored the unit's last batch knows the mode of before; another number of batches makes it read
  // again.
  await sql`update units set test_since = ${test ? new Date(actor.atMs) : null},
    batches = batches + 1 where id = ${unit.id}`.execute(tx);
  const records = stored.since === null ? 0 : await beginRelease(tx, unit.id, stored.since, actor);
  await insertAudit(tx, actor, {
    action: 'set_test_mode',
    objectType: 'unit',
    objectId: unit.id,
    before: { test: !test },
    after: { test, ...(records > 0 && { records }) },
  });
}
