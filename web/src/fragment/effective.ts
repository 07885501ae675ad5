import type { Count, ManualCount } from '@ridewatch/contract/segments';

/** What counts: each value that somebody typed in place of the automatic one. */
export function effective(automatic: Count, manual: ManualCount): Count {
  return { adult: manual.adult ?? automatic.adult, kids: manual.kids ?? automatic.kids };
}
