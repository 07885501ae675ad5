import type { BusInfo } from '@ridewatch/contract/buses';
import type { AddressKeys } from '../address.ts';
import type { PageTexts } from './texts-ru.ts';

/** What a bus has to be known by to say which tabs its page shows. */
export type TabBus = Pick<BusInfo, 'cameras' | 'gps_trackable'>;

/** A tab of a bus's page, as the table of screens names it. */
export interface Tab {
  /** Its address, as routes are written. */
  readonly path: string;
  /** Its name among the texts of the page. */
  readonly tab: Extract<keyof PageTexts, `tab${string}`>;
  /** Whether this bus has it; every bus when absent. Everybody who sees a bus sees its tabs. */
  readonly isFor?: (bus: TabBus) => boolean;
  /** Whether it opens in place of the first tab where the address names none. */
  readonly isFirstFor?: (bus: TabBus) => boolean;
  /** The keys of its address beside those of the page. */
  readonly address: AddressKeys;
}

/** Some tabs, of which every bus has the first. */
export type Tabs = readonly [Tab, ...Tab[]];

/** The tabs that a bus's page shows. */
export function openTabs(all: Tabs, bus: TabBus): readonly Tab[] {
  return all.filter((tab) => tab.isFor?.(bus) !== false);
}

/** The tab that opens where the address names none. */
export function firstTab(all: Tabs, bus: TabBus): Tab {
  return openTabs(all, bus).find((tab) => tab.isFirstFor?.(bus)) ?? all[0];
}

/** The tab that another bus opens with when one goes there from a tab: the same, if it has that. */
export function tabAt(all: Tabs, bus: TabBus, from: Tab): Tab {
  return openTabs(all, bus).find((tab) => tab === from) ?? firstTab(all, bus);
}
