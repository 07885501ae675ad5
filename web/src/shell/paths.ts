// The paths behind sign-in, apart from their screens: sign-in loads only these. The keys of each query are types alone.
import type { AddressKeys } from '../core/address.ts';
import type { AccountAddress } from '../features/account/address.ts';
import type { adminAddress } from '../features/admin/address.ts';
import type { AlertsAddress } from '../features/alerts/address.ts';
import type { countAddress } from '../features/bus-day/address.ts';
import type { listAddress } from '../features/bus-list/address.ts';
import type { connectAddress } from '../features/connect/address.ts';
import type { gpsAddress } from '../features/gps/address.ts';
import type { helpAddress } from '../features/help/address.ts';
import type { HomeAddress } from '../features/home/address.ts';
import type { faqAddress, newsAddress } from '../features/news/address.ts';
import type { reportFormAddress, reportsAddress } from '../features/reports/address.ts';
import type { reviewAddress } from '../features/review/address.ts';
import type { routeAddress } from '../features/routes/address.ts';
import type { serviceAddress } from '../features/service/address.ts';
import type { statsAddress } from '../features/stats/address.ts';

/** The path of a screen; parameters have a dollar sign. */
export interface ScreenPath<Path extends string, Keys extends AddressKeys> {
  readonly path: Path;
  /** Never there: it gives the compiler the keys of the query. */
  readonly keys?: Keys;
}

const at =
  <Keys extends AddressKeys>() =>
  <Path extends string>(path: Path): ScreenPath<Path, Keys> => ({ path });

/** The paths of the screens. */
export const pagePaths = [
  at<HomeAddress>()('/'),
  at<typeof listAddress>()('/buses'),
  at<typeof reviewAddress>()('/review'),
  at<typeof statsAddress>()('/stats'),
  at<typeof newsAddress>()('/news'),
  at<typeof faqAddress>()('/faq'),
  at<typeof reportsAddress>()('/reports'),
  at<typeof reportFormAddress>()('/demo-advanced-report'),
  at<typeof reportFormAddress>()('/test-export'),
  at<typeof adminAddress>()('/admin/{-$section}/{-$id}'),
  at<AlertsAddress>()('/alerts'),
  at<AccountAddress>()('/account'),
  at<typeof connectAddress>()('/connect'),
  at<typeof helpAddress>()('/help/{-$page}'),
] as const;

/** The paths of the tabs of a bus's page. */
export const tabPaths = [
  at<typeof countAddress>()('/bus/$busId'),
  at<typeof serviceAddress>()('/bus/$busId/service'),
  at<typeof gpsAddress>()('/bus/$busId/gps'),
  at<typeof routeAddress>()('/bus/$busId/route'),
] as const;
