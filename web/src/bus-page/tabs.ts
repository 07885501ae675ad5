import type { BusInfo } from '@ridewatch/contract/buses';
import type { AddressKeys } from '../core/address.ts';
import type { PageTexts } from './texts-ru.ts';

/** The fields of a bus that decide which tabs its page has. */
export type TabBus = Pick<BusInfo, 'cameras' | 'gps_trackable'>;

/** A tab of a bus's page, as in the table of screens. */
export interface Tab {
  /** Path of the route. */
  readonly path: string;
  /** The key of its name in the texts of the page. */
  readonly tab: Extract<keyof PageTexts, `tab${string}`>;
  /** Whether a bus has the tab; every bus by default. All users who see a bus see its tabs. */
  readonly isFor?: (bus: TabBus) => boolean;
  /** Whether it opens instead of the first tab if the address names none. */
  readonly isFirstFor?: (bus: TabBus) => boolean;
  /** Whether it opens on today, even if nothing has happened yet. */
  readonly isOfToday?: boolean;
  /** The keys of its query, besides those of the page. */
  readonly address: AddressKeys;
}

/** Tabs of which every bus has the first one. */
export type Tabs = readonly [Tab, ...Tab[]];

/** The tabs of a bus. */
export function openTabs(all: Tabs, bus: TabBus): readonly Tab[] {
  return all.filter((tab) => tab.isFor?.(bus) !== false);
}

/** The tab that opens if the address names none. */
export function firstTab(all: Tabs, bus: TabBus): Tab {
  return openTabs(all, bus).find((tab) => tab.isFirstFor?.(bus)) ?? all[0];
}

/** The tab that opens for another bus: the current one if that bus has it. */
export function tabAt(all: Tabs, bus: TabBus, from: Tab): Tab {
  return openTabs(all, bus).find((tab) => tab === from) ?? firstTab(all, bus);
}
