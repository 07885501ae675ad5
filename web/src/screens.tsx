import type { Me, Role } from '@ridewatch/contract/auth';
import type { ComponentType } from 'react';
import { type AddressKeys, readSearch, type Search } from './address.ts';
import { pageAddress } from './bus-page/address.ts';
import type { Tab, TabBus } from './bus-page/tabs.ts';
import { adminAddress } from './features/admin/address.ts';
import { countAddress } from './features/bus-day/address.ts';
import { listAddress } from './features/bus-list/address.ts';
import { gpsAddress } from './features/gps/address.ts';
import { reportFormAddress, reportsAddress } from './features/reports/address.ts';
import { routeAddress } from './features/routes/address.ts';
import { serviceAddress } from './features/service/address.ts';
import { statsAddress } from './features/stats/address.ts';
import { fragmentAddress } from './fragment/address.ts';
import type { Texts } from './i18n/ru/catalogue.ts';
import type { pagePaths, tabPaths } from './paths.ts';

export type Slot = 'main' | 'mobile';

export interface Screen {
  /** One of paths.ts. */
  readonly path: (typeof pagePaths | typeof tabPaths)[number]['path'];
  /** The menus that list the screen; none by default. */
  readonly slots?: readonly Slot[];
  /** The key of its title in the texts of the shell. */
  readonly title: keyof Texts['shell'];
  /** Where 'back' leads on phones without history. */
  readonly parent?: string;
  /** The roles that may open it; all by default. */
  readonly roles?: readonly Role[];
  /** Only for users with this right, which the server grants; for all by default. */
  readonly right?: 'can_edit' | 'advanced_report';
  /** The keys of its query. */
  readonly address: AddressKeys;
  /** Prefetches its data, once, before it is shown. */
  readonly prepare?: () => Promise<void>;
  /** Loads its code. */
  readonly load: () => Promise<ComponentType>;
}

const list = {
  title: 'buses',
  address: listAddress,
  prepare: async () => (await import('./buses/prepare-list.ts')).prepareBusList(),
  load: async () => (await import('./features/bus-list/bus-list-screen.tsx')).BusListScreen,
} as const;

/** The screens after sign-in, in menu order. */
const pages = [
  { path: '/', ...list },
  {
    path: '/buses',
    slots: ['main', 'mobile'],
    ...list,
  },
  {
    path: '/review',
    slots: ['main', 'mobile'],
    title: 'review',
    right: 'can_edit',
    address: fragmentAddress,
    load: async () => (await import('./features/review/review-screen.tsx')).ReviewScreen,
  },
  {
    path: '/stats',
    slots: ['main', 'mobile'],
    title: 'stats',
    address: statsAddress,
    load: async () => (await import('./features/stats/stats-screen.tsx')).StatsScreen,
  },
  {
    path: '/reports',
    slots: ['main'],
    title: 'reports',
    parent: '/buses',
    address: reportsAddress,
    load: async () => (await import('./features/reports/reports-screen.tsx')).ReportsScreen,
  },
  {
    path: '/demo-advanced-report',
    slots: ['main'],
    title: 'advancedReport',
    parent: '/reports',
    right: 'advanced_report',
    address: reportFormAddress,
    load: async () =>
      (await import('./features/reports/advanced-report-screen.tsx')).AdvancedReportScreen,
  },
  {
    path: '/test-export',
    title: 'testExport',
    parent: '/reports',
    address: reportFormAddress,
    load: async () => (await import('./features/reports/test-export-screen.tsx')).TestExportScreen,
  },
  {
    path: '/admin/{-$section}/{-$id}',
    slots: ['main', 'mobile'],
    title: 'admin',
    roles: ['ADMIN', 'INTEGRATOR'],
    address: adminAddress,
    load: async () => (await import('./features/admin/admin-screen.tsx')).AdminScreen,
  },
] as const satisfies readonly Screen[];

const ofBus = {
  title: 'bus',
  parent: '/buses',
} as const;
const hasService = ({ cameras }: TabBus) => cameras.some(({ live }) => live);
const hasDoors = ({ cameras }: TabBus) => cameras.some(({ live }) => !live);
const isTracked = (bus: TabBus) => bus.gps_trackable;

/** The tabs of a bus's page, in order (spec section 2). */
export const tabs = [
  {
    ...ofBus,
    path: '/bus/$busId',
    tab: 'tabCount',
    address: countAddress,
    load: async () => (await import('./features/bus-day/count-screen.tsx')).CountScreen,
  },
  {
    ...ofBus,
    path: '/bus/$busId/service',
    tab: 'tabService',
    isFor: hasService,
    isFirstFor: (bus) => hasService(bus) && !hasDoors(bus),
    address: serviceAddress,
    load: async () => (await import('./features/service/service-screen.tsx')).ServiceScreen,
  },
  {
    ...ofBus,
    path: '/bus/$busId/gps',
    tab: 'tabGps',
    isFor: isTracked,
    address: gpsAddress,
    load: async () => (await import('./features/gps/gps-screen.tsx')).GpsScreen,
  },
  {
    ...ofBus,
    path: '/bus/$busId/route',
    tab: 'tabRoute',
    // The tab needs positions: a bus without them has no laps to compare with a route.
    isFor: isTracked,
    isOfToday: true,
    address: routeAddress,
    load: async () => (await import('./features/routes/route-screen.tsx')).RouteScreen,
  },
] as const satisfies readonly (Screen & Tab)[];

/** Loads the page around the tabs of a bus. */
export async function loadBusPage(): Promise<ComponentType> {
  const [{ BusPage }, { busTools }] = await Promise.all([
    import('./bus-page/bus-page.tsx'),
    import('./bus-tools.tsx'),
  ]);
  return () => <BusPage tabs={tabs} tools={busTools} />;
}

const screens: readonly Screen[] = [...pages, ...tabs];

/**
 * The screen of a route.
 * @throws Error for a path that the table does not have
 */
export function screenOf(path: string): Screen {
  const screen = screenAt(path);
  if (screen === undefined) throw new Error(`No screen at ${path}.`);
  return screen;
}

/** The values of a query that belong to the screen of a route, and of a tab also those of its page. */
export function readOwn(
  path: string,
  search: Readonly<Record<string, unknown>>,
): Search<AddressKeys> {
  const isTab = tabs.some((tab) => tab.path === path);
  return readSearch({ ...(isTab && pageAddress), ...screenOf(path).address }, search);
}

/** Finds the screen at a path. */
export function screenAt(path: string | undefined): Screen | undefined {
  return screens.find((screen) => screen.path === path);
}

/** The screens that a menu lists for a user. */
export function screensOf(slot: Slot, user: Me): readonly Screen[] {
  return screens.filter((screen) => screen.slots?.includes(slot) && isOpenTo(screen, user));
}

function isOpenTo({ right, roles }: Screen, user: Me): boolean {
  return (!right || user[right]) && (!roles || roles.includes(user.role));
}
