import type { BusInfo } from '@ridewatch/contract/buses';
import { createContext, useContext } from 'react';
import type { BusConfig } from './bus-config.ts';

/** The state of a bus's page that its parts share. */
export interface BusPageState {
  info: BusInfo;
  /** The display settings of the bus; empty if they cannot be read. */
  config: BusConfig;
  /** The shown local day. */
  date: string;
  today: string;
  isToday: boolean;
  /** Goes to another local day; ignores future days. */
  goToDay: (day: string) => void;
}

export const BusPageContext = createContext<BusPageState | null>(null);

/**
 * The bus and the day of the page around the component.
 * @throws Error outside of a bus's page
 */
export function useBusPage(): BusPageState {
  const state = useContext(BusPageContext);
  if (!state) throw new Error('useBusPage needs the context of a bus page');
  return state;
}
