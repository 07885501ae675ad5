// Says what depends on an object that a table has created, in the words of the contract.
import { UndoReason } from '@ridewatch/contract/admin-import';

/** The tables whose rows refer to such objects and stay, by what they hold. */
const tables: Partial<Record<UndoReason, readonly string[]>> = {
  customers: ['integrator_clients'],
  users: ['users'],
  buses: ['bus_owners', 'workplace_settings'],
  units: ['units'],
  cameras: ['cameras'],
  routes: ['route_groups'],
  stops: ['route_stops', 'route_patterns', 'route_tracks', 'stop_classifiers'],
  keys: ['api_keys'],
  settings: ['client_retention'],
  records: [
    ...['aside_records', 'unit_streams', 'unit_feed', 'bus_days', 'halts', 'hourly_traffic'],
    ...['month_profiles', 'day_traffic', 'route_traffic'],
  ],
  commands: ['unit_commands'],
  video: [
    ...['segments', 'segment_announcements', 'uploads', 'live_streams', 'merge_requests'],
    'preloads',
  ],
  laps: ['laps', 'lap_recalculations', 'recalculations'],
  money: ['calculations', 'calculation_changes', 'route_calculations', 'route_costs'],
  counts: ['manual_counts'],
  sign_ins: ['sessions', 'second_factors', 'news_reads', 'message_closings'],
  reports: ['reports'],
  tables: ['imports'],
};

const reasonOf: ReadonlyMap<string, UndoReason> = new Map(
  UndoReason.options.flatMap((reason) => (tables[reason] ?? []).map((table) => [table, reason])),
);

/** The word for a use of an object by rows of a table; `used` where there is none. @param table without its schema */
export const useBy = (table: string): UndoReason => reasonOf.get(table) ?? 'used';
