import { setUp } from '../fleet-set-up.ts';
import { connect } from '../uplink/connection.ts';
import type { Flags } from './flags.ts';
import type { PlannedFleet } from './plan.ts';
import type { State } from './state.ts';

/**
 * The credentials of an earlier run while they hold; else the fleet is set up, which issues new ones.
 * @throws SetUpError
 */
export async function findCredentials(
  flags: Flags,
  fleet: PlannedFleet,
  earlier: State | undefined,
): Promise<Map<string, string>> {
  if (earlier !== undefined) {
    const known = fleet.buses.map(({ deviceId }) => earlier.units[deviceId]?.credential);
    const first = known[0];
    if (first !== undefined && known.every((one) => one !== undefined)) {
      const holds = await connect({ url: flags.url, credential: first })
        .me()
        .then(() => true)
        .catch(() => false);
      if (holds) {
        return new Map(fleet.buses.map(({ deviceId }, index) => [deviceId, known[index] ?? '']));
      }
    }
  }
  return setUp(flags, fleet.plan);
}
