import type { AttentionGroup, Home } from '@ridewatch/contract/home';
import { NOW, TODAY } from './browser.ts';

/** A group of what needs attention. */
export const group = (items: AttentionGroup['items'] = [], total = items.length) => ({
  items,
  total,
});

/** The day at a glance of three buses. */
export const home = (more: Partial<Home> = {}): Home => ({
  made_at: NOW,
  timezone: 'Europe/Moscow',
  zones: 1,
  day: TODAY,
  before_day: '2026-03-03',
  buses: { moving: 1, standing: 1, silent: 1, off: 0 },
  entered: { now: 1050, before: 1000 },
  exited: { now: 900, before: 1000 },
  revenue: { now: '1234.50', before: '1000.00' },
  inside: { now: 20, before: 0, of_places: 20, places: 80 },
  hours: {
    entered: [0, 0, 0, 0, 0, 0, 0, 400, 650],
    exited: [0, 0, 0, 0, 0, 0, 0, 300, 600],
    entered_before: [0, 0, 0, 0, 0, 0, 0, 500, 500],
    exited_before: [0, 0, 0, 0, 0, 0, 0, 500, 500],
    revenue: ['0.00', '0.00', '0.00', '0.00', '0.00', '0.00', '0.00', '434.50', '800.00'],
    revenue_before: [],
  },
  review: { waiting: 0, oldest: null, reviewed: 3 },
  incomplete: 0,
  attention: { faulty: group(), money: group(), line: group() },
  customers: [],
  bus_ids: null,
  ...more,
});
