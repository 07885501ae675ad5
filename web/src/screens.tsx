import type { Me, Role } from '@ridewatch/contract/auth';
import type { ComponentType } from 'react';
import type { Texts } from './i18n/ru/catalogue.ts';

export type Slot = 'main' | 'mobile';

export interface Screen {
  /** The address below the root, parameters with a dollar sign. */
  path: string;
  /** The file that has the screen, below features/, and its component. */
  file: string;
  component: string;
  /** The menus that name it. */
  slots: readonly Slot[];
  title: (text: Texts) => string;
  /** Where 'back' leads on phones when there is no history. */
  parent?: string;
  /** Only for these; everybody when absent. */
  roles?: readonly Role[];
  /** Only for those with the edit right. */
  edits?: boolean;
  customers?: readonly number[];
}

/** The screens behind sign-in, in menu order. */
export const screens: readonly Screen[] = [
  {
    path: '/buses',
    file: 'bus-list/bus-list-screen',
    component: 'BusListScreen',
    slots: ['main', 'mobile'],
    title: (text) => text.shell.buses,
  },
  {
    path: '/review',
    file: 'review/review-screen',
    component: 'ReviewScreen',
    slots: ['main', 'mobile'],
    title: (text) => text.shell.review,
    edits: true,
  },
  {
    path: '/bus/$busId',
    file: 'bus-day/count-screen',
    component: 'CountScreen',
    slots: [],
    title: (text) => text.shell.bus,
    parent: '/buses',
  },
  {
    path: '/bus/$busId/service',
    file: 'service/service-screen',
    component: 'ServiceScreen',
    slots: [],
    title: (text) => text.shell.bus,
    parent: '/buses',
  },
  {
    path: '/bus/$busId/gps',
    file: 'gps/gps-screen',
    component: 'GpsScreen',
    slots: [],
    title: (text) => text.shell.bus,
    parent: '/buses',
  },
  {
    path: '/bus/$busId/route',
    file: 'routes/route-screen',
    component: 'RouteScreen',
    slots: [],
    title: (text) => text.shell.bus,
    parent: '/buses',
  },
];

const files = import.meta.glob<Record<string, ComponentType>>('./features/*/*-screen.tsx');

/** Loads a screen's component; undefined while the screen does not exist. */
export function loaderOf(screen: Screen): (() => Promise<ComponentType>) | undefined {
  const load = files[`./features/${screen.file}.tsx`];
  if (!load) return undefined;
  return async () => {
    const component = (await load())[screen.component];
    if (!component) throw new Error(`${screen.file}.tsx has no ${screen.component}`);
    return component;
  };
}

/** The screens that a menu names for a user. */
export function screensOf(slot: Slot, user: Me): Screen[] {
  return screens.filter(
    (screen) => screen.slots.includes(slot) && loaderOf(screen) && isOpenTo(screen, user),
  );
}

function isOpenTo(screen: Screen, user: Me): boolean {
  const customer = user.client_id;
  return (
    (!screen.edits || user.can_edit) &&
    (!screen.roles || screen.roles.includes(user.role)) &&
    (!screen.customers || (customer !== null && screen.customers.includes(customer)))
  );
}
