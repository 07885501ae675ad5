// Changes of what is valid for buses from a local day on. A table changes thousands of buses: one by one, 5,000 would
// take two minutes, so every step is one statement for a lot of them.
import type * as contract from '@ridewatch/contract/admin-buses';
import { addDays, countDays } from '@ridewatch/contract/day';
import type { BodyOf } from '@ridewatch/contract/endpoint';
import { type Administered, asAdministered } from '../access/administration.ts';
import { type BusRow, findBusIds } from '../access/bus.ts';
import { refuseForeignSpans } from '../access/own-days.ts';
import { findRoutes, keepRoutes } from '../access/route.ts';
import { type RouteFrom, refuseForeignRoutes } from '../access/route-of-day.ts';
import { announceBusChange } from '../buses/announce.ts';
import { type Actor, type AuditEntry, insertAudits } from '../core/audit.ts';
import type { Tx } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import { isSame, refuseUnseen } from '../core/refuse-unseen.ts';
import type { Viewer } from '../core/viewer.ts';
import { changeBusSettings } from '../counts/settings.ts';
import {
  type BusSettings,
  type LockedSettings,
  lockSettingsOf,
  type SettingsFrom,
} from '../days/bus-settings.ts';
import { requestLapsOf } from '../days/due-laps.ts';
import { readBus } from './buses.ts';
import type { Changed } from './change.ts';

type Bus = contract.AdminBus;

/** Delay of the laps, ms: a user looks at a change at once. */
const EDIT_WAIT_MS = 1000;

/** New settings of a bus, from a local day on; its present one when none is given. */
export interface WantedSettings {
  readonly busId: number;
  readonly body: Omit<BodyOf<typeof contract.setBusSettings>, 'valid_from'> & {
    readonly valid_from?: string;
  };
  /** The bus as the answer of a conflict has it. */
  readonly present?: Bus;
}

/**
 * Sets what is valid for a bus from a local day on, its present one when none is given. Laps of today are worked out
 * anew; those of earlier days when somebody recalculates them.
 * @throws AppError no_right for a route that an integrator sets, conflict, not_found; invalid_request for a day that
 *   belongs to another customer than the user's or the route's
 */
export async function changeSettings(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  { id: busId }: Administered<BusRow>,
  body: WantedSettings['body'],
): Promise<Changed<Bus>> {
  const read = () => readBus(tx, viewer, { id: busId }, actor.atMs);
  await lockSettingsOf(tx, [{ busId, validFrom: body.valid_from }], actor.atMs);
  const present = await read();
  const changed = await changeSettingsOf(tx, viewer, actor, [{ busId, body, present }]);
  return changed === 0
    ? { row: present, isChanged: false }
    : { row: await read(), isChanged: true };
}

/**
 * Sets what is valid for several buses, as `changeSettings`.
 * @param buses at least one, some hundred at most, each once
 * @returns how many of them became different
 */
export async function changeSettingsOf(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  buses: readonly WantedSettings[],
): Promise<number> {
  if (buses.some(({ body }) => body.group_id !== undefined)) checkChoosesRoutes(viewer);
  const lockedOf = await lockOwn(
    tx,
    viewer,
    actor,
    buses.map(({ busId, body }) => ({ busId, validFrom: body.valid_from })),
  );
  const changes = buses.map(({ busId, body, present }) => {
    const { before, day, today } = lockedOf(busId);
    refuseUnseen(before, body, present);
    const { group_id = before.group_id, timezone, count_source } = body;
    const settings = {
      group_id,
      timezone: timezone ?? before.timezone,
      count_source: count_source ?? before.count_source,
      // The bus's own terminal is a stop of its former route.
      terminal_stop_id: group_id === before.group_id ? before.terminal_stop_id : null,
    };
    return { busId, day, before, settings, due: day <= today ? [today] : [] };
  });
  const chosen = buses.flatMap(({ busId, body }) =>
    body.group_id ? [{ busId, routeId: body.group_id, day: lockedOf(busId).day }] : [],
  );
  await checkRoutes(tx, viewer, chosen);
  const different = changes.filter(({ before, settings }) => !isSame(settings, before));
  await store(tx, actor, different);
  return different.length;
}

/** A change of settings as the audit log has it; `after` has its day, too. */
export interface LoggedSettings {
  readonly busId: number;
  readonly before: object;
  readonly after: object;
}

/**
 * Sets settings of buses back, with the terminal stops that they had on their former routes. Laps of all days since then
 * are worked out anew.
 * @param changes at least one, some hundred at most, each bus once
 * @throws AppError conflict when somebody has changed them since; invalid_request for a day of a former customer
 */
export async function restoreSettingsOf(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  changes: readonly LoggedSettings[],
): Promise<void> {
  const asked = changes.map(({ busId, before, after }) => {
    const { valid_from: validFrom, ...seen } = after as BusSettings & { valid_from: string };
    return { busId, validFrom, seen, settings: before as BusSettings };
  });
  const lockedOf = await lockOwn(tx, viewer, actor, asked);
  const back = asked.map(({ busId, seen, settings }) => {
    const { before, day, today } = lockedOf(busId);
    refuseUnseen(before, { ...settings, seen });
    const due = Array.from({ length: countDays(day, today) }, (_, n) => addDays(day, n));
    return { busId, day, before, settings, due };
  });
  await store(tx, actor, back);
}

/** Locks settings of buses on days that belong to customers of the user. */
async function lockOwn(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  buses: readonly { readonly busId: number; readonly validFrom: string | undefined }[],
): Promise<(busId: number) => LockedSettings> {
  const locked = await lockSettingsOf(tx, buses, actor.atMs);
  asAdministered(viewer, await findBusIds(tx, viewer, [...locked.keys()]));
  // Figures of all days change on which the settings hold.
  const spans = [...locked].map(([busId, { day, until }]) => ({ busId, from: day, to: until }));
  await refuseForeignSpans(tx, viewer, spans, 'valid_from');
  return (busId) => {
    const own = locked.get(busId);
    if (own === undefined) throw notFound();
    return own;
  };
}

interface SettingsChange extends SettingsFrom {
  readonly before: BusSettings;
  /** The days whose laps are worked out anew. */
  readonly due: readonly string[];
}

async function store(tx: Tx, actor: Actor, changes: readonly SettingsChange[]): Promise<void> {
  if (changes.length === 0) return;
  await changeBusSettings(tx, changes);
  const entries = changes.map(
    ({ busId, day, before, settings }): AuditEntry => ({
      ...{ action: 'set_bus_settings', objectType: 'workplace', objectId: busId },
      ...{ before, after: { ...settings, valid_from: day } },
    }),
  );
  await insertAudits(tx, actor, entries);
  await announceBusChange(tx);
  const due = changes.flatMap(({ busId, due: days }) => days.map((day) => ({ busId, day })));
  await requestLapsOf(tx, due, { nowMs: actor.atMs, waitMs: EDIT_WAIT_MS });
}

/** @throws AppError no_right */
export function checkChoosesRoutes(viewer: Viewer): void {
  const refusal = refusalToChoose(viewer);
  if (refusal) throw refusal;
}

/** The refusal of a route that somebody else than an administrator chooses; undefined for an administrator. */
export function refusalToChoose({ role }: Viewer): AppError | undefined {
  if (role === 'ADMIN') return undefined;
  const message = 'Only administrators move buses between routes.';
  return new AppError('no_right', message, { field: 'group_id' });
}

/** The refusal of a route for a bus, which drives routes of its customers only. */
export const foreignRoute = (): AppError => {
  const message = 'The route belongs to none of the customers of the bus.';
  return new AppError('conflict', message, { field: 'group_id' });
};

async function checkRoutes(tx: Tx, viewer: Viewer, chosen: readonly RouteFrom[]): Promise<void> {
  const ids = chosen.map(({ routeId }) => routeId);
  await keepRoutes(tx, ids);
  await findRoutes(tx, viewer, ids);
  await refuseForeignRoutes(tx, chosen, foreignRoute, 'valid_from');
}
