// Minimal answers of the server; a test adds what matters to it.
import type { Customer, Me } from '@ridewatch/contract/auth';
import type { BusRoute, BusRouteWithTrack } from '@ridewatch/contract/bus-routes';
import type { Bus, BusInfo, BusList, BusStatus, Camera } from '@ridewatch/contract/buses';
import type { DayFragments, Fragment } from '@ridewatch/contract/fragments';
import type { Halt, Lap, LapStop, LapSummary } from '@ridewatch/contract/laps';
import type { RouteStop } from '@ridewatch/contract/routes';
import { NOW, TODAY } from './browser.ts';

/** A moment of today in Moscow time: `at('08:30')`. */
export function at(clock: string, day = TODAY): string {
  const time = clock.length === 5 ? `${clock}:00` : clock;
  return new Date(`${day}T${time}+03:00`).toISOString();
}

export const owner: Me = {
  id: 20,
  login: 'owner1',
  role: 'CUSTOMER',
  client_id: 20,
  integrator_clients: [],
  name: 'Иван',
  surname: 'Петров',
  status: 1,
  enabled: true,
  can_edit: true,
  must_set_up_second_factor: false,
  viewed_by: null,
  viewed_until: null,
  advanced_report: false,
  advanced_report_clients: [],
  company: { name: 'Ridewatch', support_email: 'help@example.org' },
};
export const admin: Me = { ...owner, id: 1, login: 'admin', role: 'ADMIN', client_id: null };

export const customer = (id: number, name: string): Customer => ({
  id,
  name,
  patronymic: null,
  surname: null,
  status: 1,
  enabled: true,
});
export const camera = (id: number, more: Partial<Camera> = {}): Camera => ({
  id,
  name: `Дверь ${id}`,
  stream_id: String(id),
  live: false,
  liveurl: null,
  enabled: true,
  status: 'online',
  door: id,
  ...more,
});
export const serviceCamera = (id: number, more: Partial<Camera> = {}): Camera =>
  camera(id, { name: `Салон ${id}`, live: true, door: null, ...more });

export const busRoute = (id: number, more: Partial<BusRoute> = {}): BusRoute => ({
  id,
  name: `Маршрут ${id}`,
  client_id: 20,
  deleted: false,
  type_calculation: 'FIXED',
  ...more,
});
export const routeWithTrack = (more: Partial<BusRouteWithTrack> = {}): BusRouteWithTrack => ({
  ...busRoute(5),
  track: [
    { latitude: 55.7, longitude: 37.6 },
    { latitude: 55.8, longitude: 37.7 },
  ],
  ...more,
});

export const bus = (id: number, more: Partial<Bus> = {}): Bus => ({
  id,
  name: `А ${id} АА`,
  description: null,
  type: 'VMS',
  timezone: 'Europe/Moscow',
  gps_trackable: true,
  clients: [20],
  passes: null,
  group: null,
  group_device_id: null,
  without_unit: null,
  last_seen_at: NOW,
  cameras: [camera(1), camera(2)],
  ...more,
});
export const busList = (
  items: Bus[],
  customers: Customer[] = [customer(20, 'Север')],
): BusList => ({ items, number: 0, total: items.length, customers });

export const busInfo = (more: Partial<BusInfo> = {}): BusInfo => ({
  ...bus(7),
  group: null,
  config: '{}',
  count_passengers_inside: true,
  bus_calculation: false,
  terminal_bus_stop_id: null,
  last_own_day: null,
  capacity_seated: 20,
  capacity_standing: 30,
  date: TODAY,
  latest_day: TODAY,
  day_start: at('00:00'),
  day_end: new Date(Date.parse(at('00:00')) + 86_400_000).toISOString(),
  ...more,
});

export const busStatus = (more: Partial<BusStatus> = {}): BusStatus => ({
  workplace_id: 7,
  deviceId: 70,
  last_seen_at: NOW,
  cameras: [],
  update: null,
  requests: [],
  ...more,
});

const nobody = { adult: null, kids: null };
export const fragment = (id: number, clock: string, more: Partial<Fragment> = {}): Fragment => ({
  id,
  deviceId: 70,
  cameraId: 1,
  start_time: at(clock),
  end_time: new Date(Date.parse(at(clock)) + 30_000).toISOString(),
  status: 'PROCESSED',
  fail_reason: null,
  fail_detail: null,
  next_try_at: null,
  progress: null,
  stopped: false,
  ...{ download: null, download_playable: null },
  playback_uri: `/api/video_feed/${id}?hash=h`,
  video: {
    duration_ms: 30_000,
    width: 640,
    height: 360,
    codec: 'h264',
    time_map: null,
    truncated: null,
    preview: null,
  },
  entered: { adult: 3, kids: 1 },
  exited: { adult: 2, kids: 0 },
  entered_manual: nobody,
  exited_manual: nobody,
  max_objects_count: 3,
  reviewed_at: null,
  reviewed_by: null,
  kept: false,
  video_deleted_at: null,
  video_deleted_for: null,
  info: {},
  ...more,
});
/** A fragment whose video is still on the registrar. */
export const faraway = (id: number, clock: string, more: Partial<Fragment> = {}): Fragment =>
  fragment(id, clock, { status: 'LIVE', playback_uri: null, video: null, ...more });

export function dayFragments(
  fragments: Fragment[],
  more: Partial<DayFragments> = {},
): DayFragments {
  const sum = (side: 'entered' | 'exited', who: 'adult' | 'kids') =>
    fragments.reduce((all, one) => all + one[side][who], 0);
  const entered = { adult: sum('entered', 'adult'), kids: sum('entered', 'kids') };
  const exited = { adult: sum('exited', 'adult'), kids: sum('exited', 'kids') };
  const totals = {
    totalEntered: entered.adult + entered.kids,
    totalExited: exited.adult + exited.kids,
    totalEnteredManual: entered.adult + entered.kids,
    totalExitedManual: exited.adult + exited.kids,
  };
  return {
    workplace_id: 7,
    date: TODAY,
    timezone: 'Europe/Moscow',
    start: at('00:00'),
    end: new Date(Date.parse(at('00:00')) + 86_400_000).toISOString(),
    ...totals,
    entered,
    exited,
    tells_children: true,
    inside: 4,
    calculation: null,
    devices: [],
    events: [{ device_id: 70, events: [{ start_time: at('08:00'), entered: 5, exited: 3 }] }],
    segments: fragments,
    ...more,
  };
}

export const page = <Item>(items: Item[]) => ({ items, number: 0, total: items.length });

export const lapSummary = (number: number, more: Partial<LapSummary> = {}): LapSummary => ({
  lap_id: 100 + number,
  number,
  group: { id: 5, name: 'Маршрут 5' },
  pattern: null,
  start: at(`0${5 + number}:00`),
  end: at(`0${5 + number}:50`),
  duration: 3000,
  startPositionPercent: 10,
  percent: 10,
  incomplete: null,
  open: false,
  legs: [],
  entered: 30,
  exited: 29,
  stops: 2,
  unplaced: 0,
  max_passengers: 21,
  drift: 1,
  imbalance_percent: 3,
  imbalanced: false,
  revenue: null,
  revenue_error: null,
  no_price: 0,
  ...more,
});
export const lapStop = (position: number, name: string, more: Partial<LapStop> = {}): LapStop => ({
  id: 500 + position,
  position,
  name,
  latitude: 55.7 + position / 100,
  longitude: 37.6,
  lap: 1,
  classifier_id: 900 + position,
  routeStop: { name, groupName: 'Маршрут 5' },
  direction: 'FORWARD',
  arrival: at(`06:${10 + position * 5}`),
  departure: at(`06:${11 + position * 5}`),
  passed_at: null,
  distance_m: 8,
  evidence: 'halt',
  skipped: null,
  confidence: 0.9,
  entered: 10,
  exited: 4,
  passengers: 6,
  raw_passengers: 6,
  load_percent: 12,
  segments: [],
  ...more,
});
export const halt = (clock: string, more: Partial<Halt> = {}): Halt => ({
  start: at(clock),
  end: new Date(Date.parse(at(clock)) + 120_000).toISOString(),
  latitude: 55.75,
  longitude: 37.65,
  lap: 1,
  position: null,
  entered: 0,
  exited: 0,
  ...more,
});
export const lap = (number: number, more: Partial<Lap> = {}): Lap => ({
  ...lapSummary(number),
  busStopDtoList: [lapStop(0, 'Вокзал'), lapStop(1, 'Рынок')],
  halts: [],
  track: [
    { latitude: 55.7, longitude: 37.6, time: at('06:10'), speed_kmh: 20 },
    { latitude: 55.71, longitude: 37.6, time: at('06:15'), speed_kmh: 30 },
  ],
  ...more,
});

export const routeStop = (
  order: number,
  name: string,
  more: Partial<RouteStop> = {},
): RouteStop => ({
  id: 500 + order,
  name,
  latitude: 55.7 + order / 100,
  longitude: 37.6,
  orderKey: order,
  routeDirection: 'FORWARD',
  groupId: 5,
  classifier_id: 900 + order,
  terminal: null,
  ...more,
});
