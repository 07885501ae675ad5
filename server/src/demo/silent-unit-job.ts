import { EVERY_MINUTE, type JobDefinition } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';

/** The unit that the simulated fleet lets break down (`breaksDown` in unit/src/simulated/plan.ts). */
export const SILENT_UNIT = 'SIM-000012';

/**
 * Every minute: the demo's broken unit was last heard when its last position was taken. Its history arrives at the
 * start of the demo, so without this it would be silent only some minutes later.
 */
export function silentUnitJob({ database: { db } }: Pick<Deps, 'database'>): JobDefinition {
  return {
    name: 'demo_silent_unit',
    schedule: EVERY_MINUTE,
    run: async () => {
      await db
        .updateTable('units')
        .set((eb) => ({ last_seen_at: eb.ref('last_fix_at') }))
        .where('device_id', '=', SILENT_UNIT)
        .whereRef('last_seen_at', '>', 'last_fix_at')
        .execute();
    },
  };
}
