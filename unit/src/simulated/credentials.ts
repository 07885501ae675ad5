import { credentialsOf, setUp, signIn } from '../fleet-set-up.ts';
import { connect } from '../uplink/connection.ts';
import type { Flags } from './flags.ts';
import type { PlannedFleet } from './plan.ts';
import type { State } from './state.ts';

/**
 * Returns the credentials of an earlier run if they are valid; else sets up the fleet, which issues new ones.
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
      const isValid = await connect({ url: flags.url, credential: first })
        .me()
        .then(() => true)
        .catch(() => false);
      if (isValid) {
        return new Map(fleet.buses.map(({ deviceId }, index) => [deviceId, known[index] ?? '']));
      }
    }
  }
  return credentialsOf(await setUp(await signIn(flags), fleet.plan));
}
