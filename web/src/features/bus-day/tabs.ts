import type { BusInfo } from '@ridewatch/contract/buses';
import type { DayTexts } from './texts-ru.ts';

interface Tab {
  readonly id: 'count' | 'service' | 'gps';
  readonly title: (text: DayTexts) => string;
  /** Whether this bus has it (spec section 2). */
  readonly isFor: (bus: Pick<BusInfo, 'cameras' | 'gps_trackable'>) => boolean;
  /** Whether this build has it: a tab that is not built is not shown. */
  readonly isBuilt: boolean;
}

/** The parts of a bus's page, in order. */
export const tabs: readonly Tab[] = [
  { id: 'count', title: (text) => text.tabCount, isFor: () => true, isBuilt: true },
  {
    id: 'service',
    title: (text) => text.tabService,
    isFor: (bus) => bus.cameras.some((camera) => camera.live),
    isBuilt: false,
  },
  {
    id: 'gps',
    title: (text) => text.tabGps,
    isFor: (bus) => bus.gps_trackable,
    isBuilt: false,
  },
];

/** The tabs that a bus's page shows. */
export function openTabs(bus: Pick<BusInfo, 'cameras' | 'gps_trackable'>): readonly Tab[] {
  return tabs.filter((tab) => tab.isBuilt && tab.isFor(bus));
}
