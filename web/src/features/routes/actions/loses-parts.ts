import type { RouteReplacement } from '@ridewatch/contract/route-proposal';

/** Whether a replacement removes stops or patterns, so that the user is asked before. */
export const losesParts = (of: RouteReplacement): boolean =>
  of.stops_removed + of.patterns_removed.length > 0;
