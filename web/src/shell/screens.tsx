import type { Me, Role } from '@ridewatch/contract/auth';
import { findHome } from '@ridewatch/contract/home';
import type { ComponentType } from 'react';
import { pageAddress } from '../bus-page/address.ts';
import type { Tab, TabBus } from '../bus-page/tabs.ts';
import { type AddressKeys, readSearch, type Search } from '../core/address.ts';
import { pickedIdOf } from '../core/picked-id.ts';
import type { MenuFacts } from '../core/session.ts';
import { accountAddress } from '../features/account/address.ts';
import { adminAddress } from '../features/admin/address.ts';
import { alertsAddress } from '../features/alerts/address.ts';
import { countAddress } from '../features/bus-day/address.ts';
import { listAddress } from '../features/bus-list/address.ts';
import { connectAddress } from '../features/connect/address.ts';
import { gpsAddress } from '../features/gps/address.ts';
import { helpAddress } from '../features/help/address.ts';
import { homeAddress, inputOf } from '../features/home/address.ts';
import { faqAddress, newsAddress } from '../features/news/address.ts';
import { reportFormAddress, reportsAddress } from '../features/reports/address.ts';
import { reviewAddress } from '../features/review/address.ts';
import { routeAddress } from '../features/routes/address.ts';
import { serviceAddress } from '../features/service/address.ts';
import { statsAddress } from '../features/stats/address.ts';
import type { Texts } from '../i18n/ru/catalogue.ts';
import { pageKey, pageOf } from '../ui/page-key.ts';
import type { pagePaths, tabPaths } from './paths.ts';

/** The main menu of desktops; the tab bar and the user menu of phones. */
export type Slot = 'main' | 'mobile' | 'user';

export interface Screen {
  /** One of paths.ts. */
  readonly path: (typeof pagePaths | typeof tabPaths)[number]['path'];
  /** The menus that list the screen; none by default. */
  readonly slots?: readonly Slot[];
  /** The key of its title in the texts of the shell. */
  readonly title: keyof Texts['shell'];
  /** The key of its name in the tab bar of phones, where the title is too long. */
  readonly tabTitle?: keyof Texts['shell'];
  /** The page to which 'back' leads on phones without history. */
  readonly parent?: string;
  /** The roles that may open it; all by default. */
  readonly roles?: readonly Role[];
  /** Only for users with this right, which the server grants; for all by default. */
  readonly right?: 'can_edit' | 'advanced_report';
  /** Whether menus list it, by what is known; always by default. */
  readonly isListed?: (known: MenuFacts) => boolean;
  /** Whether its entry has an alert mark. */
  readonly hasAlert?: (known: MenuFacts) => boolean;
  /** The keys of its query. */
  readonly address: AddressKeys;
  /** Prefetches its data, once, before it is shown. */
  readonly prepare?: (search: Readonly<Record<string, unknown>>) => Promise<void>;
  /** Loads its code. */
  readonly load: () => Promise<ComponentType>;
}

/** The screens after sign-in, in menu order. */
const pages = [
  {
    path: '/',
    slots: ['main', 'mobile'],
    title: 'home',
    address: homeAddress,
    prepare: async ({ customer }) => {
      const { prefetchEndpoint } = await import('../calls/api.ts');
      await prefetchEndpoint(findHome, inputOf(pickedIdOf(customer as string | undefined)));
    },
    load: async () => (await import('../features/home/home-screen.tsx')).HomeScreen,
  },
  {
    path: '/buses',
    slots: ['main', 'mobile'],
    title: 'buses',
    address: listAddress,
    prepare: async () => (await import('../buses/prepare-list.ts')).prepareBusList(),
    load: async () => (await import('../features/bus-list/bus-list-screen.tsx')).BusListScreen,
  },
  {
    path: '/review',
    slots: ['main', 'mobile'],
    title: 'review',
    tabTitle: 'reviewTab',
    right: 'can_edit',
    address: reviewAddress,
    load: async () => (await import('../features/review/review-screen.tsx')).ReviewScreen,
  },
  {
    path: '/stats',
    slots: ['main', 'mobile'],
    title: 'stats',
    address: statsAddress,
    load: async () => (await import('../features/stats/stats-screen.tsx')).StatsScreen,
  },
  {
    path: '/reports',
    slots: ['main', 'user'],
    title: 'reports',
    parent: '/buses',
    address: reportsAddress,
    load: async () => (await import('../features/reports/reports-screen.tsx')).ReportsScreen,
  },
  {
    path: '/news',
    slots: ['main', 'mobile'],
    title: 'news',
    parent: '/buses',
    hasAlert: ({ news }) => news.unread > 0,
    address: newsAddress,
    load: async () => (await import('../features/news/news-screen.tsx')).NewsScreen,
  },
  {
    path: '/faq',
    slots: ['main', 'mobile'],
    title: 'faq',
    parent: '/news',
    isListed: ({ has_faq }) => has_faq,
    address: faqAddress,
    load: async () => (await import('../features/news/faq-screen.tsx')).FaqScreen,
  },
  {
    path: '/demo-advanced-report',
    slots: ['main'],
    title: 'advancedReport',
    parent: '/reports',
    right: 'advanced_report',
    address: reportFormAddress,
    load: async () =>
      (await import('../features/reports/advanced-report-screen.tsx')).AdvancedReportScreen,
  },
  {
    path: '/test-export',
    title: 'testExport',
    parent: '/reports',
    address: reportFormAddress,
    load: async () => (await import('../features/reports/test-export-screen.tsx')).TestExportScreen,
  },
  {
    path: '/admin/{-$section}/{-$id}',
    slots: ['main', 'user'],
    title: 'admin',
    roles: ['ADMIN', 'INTEGRATOR'],
    address: adminAddress,
    load: async () => (await import('../features/admin/admin-screen.tsx')).AdminScreen,
  },
  {
    path: '/alerts',
    slots: ['user'],
    title: 'alerts',
    parent: '/',
    right: 'can_edit',
    address: alertsAddress,
    load: async () => (await import('../features/alerts/alerts-screen.tsx')).AlertsScreen,
  },
  {
    path: '/account',
    slots: ['user'],
    title: 'account',
    parent: '/',
    address: accountAddress,
    load: async () => (await import('../features/account/account-screen.tsx')).AccountScreen,
  },
  {
    path: '/connect',
    title: 'connect',
    parent: '/admin',
    roles: ['ADMIN', 'INTEGRATOR'],
    address: connectAddress,
    load: async () => (await import('../features/connect/connect-screen.tsx')).ConnectScreen,
  },
  {
    path: '/help/{-$page}',
    slots: ['user'],
    title: 'help',
    parent: '/',
    address: helpAddress,
    load: async () => (await import('../features/help/help-screen.tsx')).HelpScreen,
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
    load: async () => (await import('../features/bus-day/count-screen.tsx')).CountScreen,
  },
  {
    ...ofBus,
    path: '/bus/$busId/service',
    tab: 'tabService',
    isFor: hasService,
    isFirstFor: (bus) => hasService(bus) && !hasDoors(bus),
    address: serviceAddress,
    load: async () => (await import('../features/service/service-screen.tsx')).ServiceScreen,
  },
  {
    ...ofBus,
    path: '/bus/$busId/gps',
    tab: 'tabGps',
    isFor: isTracked,
    address: gpsAddress,
    load: async () => (await import('../features/gps/gps-screen.tsx')).GpsScreen,
  },
  {
    ...ofBus,
    path: '/bus/$busId/route',
    tab: 'tabRoute',
    // The tab needs positions: a bus without them has no laps to compare with a route.
    isFor: isTracked,
    isOfToday: true,
    address: routeAddress,
    load: async () => (await import('../features/routes/route-screen.tsx')).RouteScreen,
  },
] as const satisfies readonly (Screen & Tab)[];

/** Loads the page around the tabs of a bus. */
export async function loadBusPage(): Promise<ComponentType> {
  const [{ BusPage }, { busTools }] = await Promise.all([
    import('../bus-page/bus-page.tsx'),
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
  const keys: AddressKeys = { ...(isTab && pageAddress), ...screenOf(path).address };
  const { page, ...own } = readSearch(keys, search);
  // An address of the first page has no number, and so has what is no number of a page.
  return page !== undefined && pageKey(pageOf(page)) ? { ...own, page } : own;
}

/** Finds the screen at a path. */
export function screenAt(path: string | undefined): Screen | undefined {
  return screens.find((screen) => screen.path === path);
}

/** The screens that a menu lists for a user. @param known undefined until the notifications are read */
export function screensOf(slot: Slot, user: Me, known?: MenuFacts): readonly Screen[] {
  return screens.filter(
    (screen) =>
      screen.slots?.includes(slot) &&
      isOpenTo(screen, user) &&
      (!screen.isListed || (known !== undefined && screen.isListed(known))),
  );
}

function isOpenTo({ right, roles }: Screen, user: Me): boolean {
  return (!right || user[right]) && (!roles || roles.includes(user.role));
}
