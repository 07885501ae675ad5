import type { BusInfo } from '@ridewatch/contract/buses';
import type { PageTexts } from './texts-ru.ts';

type TabBus = Pick<BusInfo, 'cameras' | 'gps_trackable'>;

export interface Tab {
  /** Its address, as routes are written. */
  readonly to: '/bus/$busId' | '/bus/$busId/gps' | '/bus/$busId/route' | '/bus/$busId/service';
  readonly title: (text: PageTexts) => string;
  /** Whether this bus has it (spec section 2). Everybody who sees a bus sees its tabs. */
  readonly isFor: (bus: TabBus) => boolean;
  /** Whether it is the one that opens, where the address names none. */
  readonly isFirstFor: (bus: TabBus) => boolean;
  /** Whether this build has it: a tab that is not built is not shown. */
  readonly isBuilt: boolean;
}

const hasService = ({ cameras }: TabBus) => cameras.some((camera) => camera.live);
const hasDoors = ({ cameras }: TabBus) => cameras.some((camera) => !camera.live);

/** The parts of a bus's page, in order: which shows for which bus, and which opens by itself. */
export const tabs: readonly Tab[] = [
  {
    to: '/bus/$busId',
    title: (text) => text.tabCount,
    isFor: () => true,
    isFirstFor: (bus) => hasDoors(bus) || !hasService(bus),
    isBuilt: true,
  },
  {
    to: '/bus/$busId/service',
    title: (text) => text.tabService,
    isFor: hasService,
    isFirstFor: (bus) => hasService(bus) && !hasDoors(bus),
    isBuilt: true,
  },
  {
    to: '/bus/$busId/gps',
    title: (text) => text.tabGps,
    isFor: (bus) => bus.gps_trackable,
    isFirstFor: () => false,
    isBuilt: true,
  },
  {
    to: '/bus/$busId/route',
    title: (text) => text.tabRoute,
    // A part of GPS: without positions there are no laps to lay on a route.
    isFor: (bus) => bus.gps_trackable,
    isFirstFor: () => false,
    isBuilt: true,
  },
];

/** The tabs that a bus's page shows. */
export function openTabs(bus: TabBus, all: readonly Tab[] = tabs): readonly Tab[] {
  return all.filter((tab) => tab.isBuilt && tab.isFor(bus));
}

/** The tab that opens where the address names none. */
export function firstTab(bus: TabBus, all: readonly Tab[] = tabs): Tab | undefined {
  return openTabs(bus, all).find((tab) => tab.isFirstFor(bus));
}

/** The tab that another bus opens with when one goes there from a tab: the same, if it has that. */
export function tabAt(bus: TabBus, from: Tab['to'], all: readonly Tab[] = tabs): Tab['to'] {
  const open = openTabs(bus, all);
  const same = open.find((tab) => tab.to === from);
  return (same ?? open.find((tab) => tab.isFirstFor(bus)))?.to ?? '/bus/$busId';
}
