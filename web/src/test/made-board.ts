// Minimal figures of the bus list.
import type { Board, BoardBus } from '@ridewatch/contract/board';
import { NOW } from './browser.ts';

export const boardBus = (id: number, more: Partial<BoardBus> = {}): BoardBus => ({
  id,
  state: 'standing',
  speed_kmh: null,
  moved_at: NOW,
  entered: 0,
  hours: [],
  revenue: '0.00',
  inside: 0,
  places: 50,
  lap: null,
  imbalance_percent: null,
  no_price: 0,
  waiting: 0,
  offline_cameras: [],
  ...more,
});
export const board = (items: BoardBus[]): Board => ({
  items,
  number: 0,
  total: items.length,
  made_at: NOW,
});
