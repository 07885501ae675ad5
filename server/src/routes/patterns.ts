// The patterns of a route. The default one is the route's list of stops; a further one refers to stops of the route. A
// route that never had a further pattern has no rows: its only pattern needs no name.

import type { Point } from '@ridewatch/contract/primitives';
import { MAX_PATTERNS, type RoutePattern } from '@ridewatch/contract/route-patterns';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import { listPatternRowsOn, type PatternValue } from '../days/route-patterns.ts';
import { createPatternTracks } from '../laps/engine/pattern-track.ts';
import { freeName, nameKey, nameOf } from './pattern-names.ts';
import {
  checkLaterDays,
  insertPatternRow,
  nameDefault,
  refuseLaterPatterns,
  savePattern,
} from './pattern-rows.ts';
import type { Entry } from './route-shape.ts';
import { listAllStopsOn, type StopOnDay, saveStops } from './stops.ts';
import { findTrackOn, saveTrack } from './tracks.ts';

/** A pattern as it is valid on a day, with its stops that are in the route on it. */
export interface PatternOnDay extends PatternValue {
  /** Null for the only pattern of a route. */
  readonly id: number | null;
  readonly stops: readonly StopOnDay[];
}

/** The customer and the id of a route. */
interface RouteOfClient {
  readonly id: number;
  readonly clientId: number;
}

/** The patterns of a route on a day, the default first. */
export async function listPatternsOn(
  db: Db,
  routeId: number,
  day: string,
): Promise<PatternOnDay[]> {
  const all = await listAllStopsOn(db, routeId, day);
  const stops = all.filter(({ inDefault }) => inDefault);
  const byId = new Map(all.map((stop) => [stop.id, stop]));
  const [first, ...others] = await listPatternRowsOn(db, routeId, day);
  const only = { id: null, name: nameOf(stops), stopIds: null, track: null, runs: null };
  return [
    { ...(first ?? only), stops },
    ...others.map((one) => ({
      ...one,
      stops: inOrder((one.stopIds ?? []).flatMap((id) => byId.get(id) ?? [])),
    })),
  ];
}

/** The stops of a route that some pattern has on a day: those of the default first. */
export async function listPatternStopsOn(
  db: Db,
  routeId: number,
  day: string,
): Promise<StopOnDay[]> {
  const stops = (await listPatternsOn(db, routeId, day)).flatMap((one) => one.stops);
  return [...new Map(stops.map((stop) => [stop.id, stop])).values()];
}

/** A pattern in the contract's form. */
export function patternAnswer({ id, name, stopIds, track, stops }: PatternOnDay): RoutePattern {
  return {
    id,
    name,
    default: stopIds === null,
    stop_ids: stops.map((stop) => stop.id),
    own_track: track !== null,
  };
}

/** A pattern that a user wants. */
export interface WantedPattern {
  readonly name: string;
  readonly stopIds: readonly number[];
  readonly track: readonly Point[] | null;
  readonly runs?: number | null;
}

/**
 * Adds a pattern to a route from a day on.
 * @throws AppError invalid_request for stops that are not of the route, conflict for equal stops, and for a taken name
 *   or more patterns than a route may have, also on later days
 */
export async function insertPattern(
  tx: Tx,
  routeId: number,
  day: string,
  wanted: WantedPattern,
): Promise<number> {
  const before = await listPatternsOn(tx, routeId, day);
  if (before.length >= MAX_PATTERNS) {
    const many = `A route has at most ${MAX_PATTERNS} patterns.`;
    throw new AppError('conflict', many, { field: 'stop_ids' });
  }
  const stopIds = await checkedStops(tx, routeId, day, wanted.stopIds);
  refuseSame(before, null, { ...wanted, stopIds });
  const [only] = before;
  // The default gets its name with the first further pattern, unless that has the name.
  if (only?.id === null) await nameDefault(tx, routeId, day, freeName(only.name, [wanted.name]));
  const id = await insertPatternRow(tx, routeId);
  await savePattern(tx, id, day, { ...wanted, stopIds, runs: wanted.runs ?? null });
  await checkLaterDays(tx, routeId, day);
  return id;
}

/**
 * Changes name and stops of a pattern from a day on. New stops drop its own track, which led along the old ones.
 * @throws AppError not_found, invalid_request, conflict
 */
export async function changePattern(
  tx: Tx,
  routeId: number,
  day: string,
  id: number,
  wanted: { readonly name?: string | undefined; readonly stopIds?: readonly number[] | undefined },
): Promise<void> {
  const patterns = await listPatternsOn(tx, routeId, day);
  const before = patternOf(patterns, id);
  if (wanted.stopIds !== undefined && before.stopIds === null) {
    const message = 'are those of the route: this is its default pattern';
    throw new AppError('invalid_request', message, { field: 'stop_ids' });
  }
  const stopIds =
    wanted.stopIds === undefined
      ? before.stopIds
      : await checkedStops(tx, routeId, day, wanted.stopIds);
  const name = wanted.name ?? before.name;
  refuseSame(patterns, id, { name, stopIds });
  const isMoved = wanted.stopIds !== undefined && String(stopIds) !== String(before.stopIds);
  const known = isMoved ? { track: null, runs: null } : before;
  await savePattern(tx, id, day, { name, stopIds, track: known.track, runs: known.runs });
  if (wanted.name !== undefined) await checkLaterDays(tx, routeId, day);
}

/**
 * Makes a pattern the default of its route from a day on: its stops become those of the route, and the former default
 * a further pattern.
 * @throws AppError not_found; conflict when a pattern of the route changes on a later day
 */
export async function makeDefault(
  tx: Tx,
  route: RouteOfClient,
  day: string,
  id: number,
  entry: Entry,
): Promise<void> {
  const patterns = await listPatternsOn(tx, route.id, day);
  const [old] = patterns;
  const next = patternOf(patterns, id);
  if (old === undefined || next.stopIds === null || old.id === null) return;
  if (next.stops.length < 2) {
    const message = 'has fewer than two stops that are still in the route';
    throw new AppError('conflict', message, { field: 'default' });
  }
  await refuseLaterPatterns(tx, route.id, day);
  const track = await findTrackOn(tx, route.id, day);
  const own =
    next.track ??
    createPatternTracks({ stops: engineStops(old.stops), track })(engineStops(next.stops));
  const kept = new Set(next.stops.map((stop) => stop.id));
  const others = (await listAllStopsOn(tx, route.id, day)).filter((stop) => !kept.has(stop.id));
  await saveTrack(tx, route.id, day, own ?? track);
  const wanted = [
    ...next.stops.map((stop) => ({ ...stop, inDefault: true })),
    ...others.map((stop) => ({ ...stop, inDefault: false })),
  ];
  await saveStops(tx, route, day, wanted, entry);
  await savePattern(tx, id, day, { name: next.name, stopIds: null, track: null, runs: null });
  const stopIds = old.stops.map((stop) => stop.id);
  // The other patterns were counted against the former default.
  const isKnown = next.runs !== null && next.runs > 0;
  const runsOf = (runs: number | null): number | null =>
    isKnown && runs !== null ? runs / (next.runs ?? 1) : null;
  await savePattern(tx, old.id, day, { name: old.name, stopIds, track, runs: runsOf(1) });
  for (const one of patterns) {
    if (one.id === null || one.runs === null || one.id === id) continue;
    await savePattern(tx, one.id, day, { ...one, runs: runsOf(one.runs) });
  }
}

/** Removes a further pattern from a day on. @throws AppError not_found, conflict for the default one */
export async function removePattern(
  tx: Tx,
  routeId: number,
  day: string,
  id: number,
): Promise<void> {
  const before = patternOf(await listPatternsOn(tx, routeId, day), id);
  if (before.stopIds === null) {
    throw new AppError(
      'conflict',
      'The default pattern stays. Make another one the default first.',
    );
  }
  await savePattern(tx, id, day, null);
}

/** @throws AppError not_found when the pattern is not of the route on that day */
export function patternOf(patterns: readonly PatternOnDay[], id: number): PatternOnDay {
  const pattern = patterns.find((one) => one.id === id);
  if (pattern === undefined) throw notFound();
  return pattern;
}

/** Stops in the engine's form. */
export const engineStops = (stops: readonly StopOnDay[]) =>
  stops.map(({ routeDirection, ...stop }) => ({ ...stop, direction: routeDirection }));

const inOrder = (stops: readonly StopOnDay[]): StopOnDay[] =>
  (['FORWARD', 'REVERSE'] as const).flatMap((direction) =>
    stops.filter(({ routeDirection }) => routeDirection === direction),
  );

async function checkedStops(
  tx: Tx,
  routeId: number,
  day: string,
  wanted: readonly number[],
): Promise<number[]> {
  const byId = new Map((await listAllStopsOn(tx, routeId, day)).map((stop) => [stop.id, stop]));
  const stops = wanted.map((id, index) => {
    const stop = byId.get(id);
    if (stop !== undefined && wanted.indexOf(id) === index) return stop;
    const message =
      stop === undefined ? `is not a stop of this route on ${day}` : 'is twice in the list';
    throw new AppError('invalid_request', message, { field: `stop_ids.${index}` });
  });
  return inOrder(stops).map(({ id }) => id);
}

function refuseSame(
  patterns: readonly PatternOnDay[],
  id: number | null,
  { name, stopIds }: Pick<PatternValue, 'name' | 'stopIds'>,
): void {
  const others = patterns.filter((one) => one.id !== id || one.id === null);
  // The only pattern of a route has no name yet.
  if (others.some((one) => one.id !== null && nameKey(one.name) === nameKey(name))) {
    throw new AppError('conflict', 'Another pattern has this name.', { field: 'name' });
  }
  if (stopIds === null) return;
  const same = others.find(({ stops }) => String(stops.map((stop) => stop.id)) === String(stopIds));
  if (same === undefined) return;
  const message = `The pattern “${same.name}” has the same stops.`;
  throw new AppError('conflict', message, { field: 'stop_ids' });
}
