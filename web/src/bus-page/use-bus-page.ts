import type { BusInfo } from '@ridewatch/contract/buses';
import { createContext, useContext } from 'react';
import type { AddressKeys } from '../address.ts';

/** What every part of a bus's page goes by. */
export interface BusPageState {
  info: BusInfo;
  /** The keys of the shown tab's address. */
  address: AddressKeys;
  /** The local day that is shown. */
  date: string;
  today: string;
  isToday: boolean;
  /** Goes to another local day; days to come are not gone to. */
  goToDay: (day: string) => void;
}

export const BusPageContext = createContext<BusPageState | null>(null);

/**
 * The bus and the day of the page that the component stands in.
 * @throws outside of a bus's page
 */
export function useBusPage(): BusPageState {
  const state = useContext(BusPageContext);
  if (!state) throw new Error('not on the page of a bus');
  return state;
}
