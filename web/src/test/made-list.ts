// A list of three buses with their figures.
import type { Board } from '@ridewatch/contract/board';
import { screen, within } from '@testing-library/react';
import { NOW } from './browser.ts';
import { bus, busRoute, camera } from './made.ts';
import { board, boardBus } from './made-board.ts';

/** A moment before now. @param minutes ago */
export const ago = (minutes: number) => new Date(Date.parse(NOW) - minutes * 60_000).toISOString();
/** One drives, one stands, one is off. */
export const fleet = [
  bus(1, { name: 'А 472 КМ', group: busRoute(5) }),
  bus(2, {
    name: 'В 110 ОР',
    group: busRoute(5),
    cameras: [camera(9, { enabled: false, status: 'offline' })],
  }),
  bus(3, { name: 'Запасной', last_seen_at: ago(72) }),
];
/** The place of bus 1. */
export const lap = {
  ...{ number: 6, ended: false, percent: 30, turn_percent: 50, stop: 'Рынок', next: 'Мост' },
  as_of: NOW,
};
/** The figures of the list. */
export const figures: Board = board([
  boardBus(1, { state: 'moving', speed_kmh: 34, entered: 412, hours: [0, 412], inside: 48, lap }),
  boardBus(2, { moved_at: ago(6), entered: 12, offline_cameras: [9] }),
  boardBus(3, { state: 'off', entered: null, inside: null }),
]);

/** The row of a bus, once it is drawn. */
export const rowOf = async (name: string) => {
  const link = await screen.findByRole('link', { name: new RegExp(name) });
  return within(link.closest('article') as HTMLElement);
};
/** The names of the rows. */
export const names = () =>
  screen.getAllByRole('article').map((one) => within(one).getByRole('link').textContent);
