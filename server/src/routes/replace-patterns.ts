// The stops of a file or a lap take the place of those of a route, and the patterns of a file that of its further ones.
import type { Point } from '@ridewatch/contract/primitives';
import type { Tx } from '../core/db/db.ts';
import { freeName, isNamedAfter, nameKey, nameOf } from './pattern-names.ts';
import { listLaterDays, listLaterNames, nameDefault, savePattern } from './pattern-rows.ts';
import { insertPattern, listPatternsOn, type PatternOnDay } from './patterns.ts';
import type { Entry } from './route-shape.ts';
import { saveStops, type WantedStop } from './stops.ts';

/** A pattern of a file. */
export interface IndexedPattern {
  readonly name: string;
  /** Indexes of its stops in a list of stops. */
  readonly stops: readonly number[];
  readonly track: readonly Point[];
  /** Its runs for each run of the default pattern; null where unknown. */
  readonly runs: number | null;
}

/**
 * Replaces the stops of a route from a day on. Its further patterns are those of the file, if it has some; else they stay
 * without the removed stops, and end as `endingPatterns` says. So do patterns that begin or change on later days. A default
 * pattern that was named after its ends is named after its new ones.
 * @throws AppError as `saveStops` and `replacePatterns`
 */
export async function replaceStops(
  tx: Tx,
  route: { readonly id: number; readonly clientId: number },
  day: string,
  stops: readonly WantedStop[],
  { entry, patterns = [] }: { entry: Entry; patterns?: readonly IndexedPattern[] },
): Promise<void> {
  const days = [day, ...(await listLaterDays(tx, route.id, day))];
  const defaults = new Map<string, PatternOnDay>();
  for (const each of days) {
    const [before] = await listPatternsOn(tx, route.id, each);
    if (before !== undefined) defaults.set(each, before);
  }
  const ids = await saveStops(tx, route, day, stops, entry);
  if (patterns.length > 0) await replacePatterns(tx, route.id, day, ids, patterns);
  for (const each of days) {
    const [first, ...further] = await listPatternsOn(tx, route.id, each);
    for (const { id } of endingPatterns(further, first?.stops ?? [])) {
      if (id !== null) await savePattern(tx, id, each, null);
    }
  }
  // A pattern that has ended leaves its name.
  for (const [each, before] of defaults) {
    const [first] = await listPatternsOn(tx, route.id, each);
    if (first?.name === before.name) await renameDefault(tx, route.id, each, before);
  }
}

/**
 * Changes stops of a route from a day on, as `saveStops`. A default pattern that was named after its ends is named after
 * its new ones.
 */
export async function editStops(
  tx: Tx,
  route: { readonly id: number; readonly clientId: number },
  day: string,
  ...how: [wanted: readonly WantedStop[], entry: Entry, ended?: number]
): Promise<void> {
  const [before] = await listPatternsOn(tx, route.id, day);
  await saveStops(tx, route, day, ...how);
  if (before !== undefined) await renameDefault(tx, route.id, day, before);
}

async function renameDefault(
  tx: Tx,
  routeId: number,
  day: string,
  before: Pick<PatternOnDay, 'name' | 'stops'>,
): Promise<void> {
  const [first, ...further] = await listPatternsOn(tx, routeId, day);
  // The only pattern of a route always has the name of its ends.
  if (first === undefined || first.id === null || first.stops.length === 0) return;
  if (!isNamedAfter(before.name, before.stops)) return;
  const later = [...(await listLaterNames(tx, routeId, day)).keys()];
  const name = freeName(nameOf(first.stops), [...further.map((one) => one.name), ...later]);
  if (name !== first.name) await savePattern(tx, first.id, day, { ...first, name });
}

/** A stop of a pattern; a stop that is still to be made has no id. */
interface Listed {
  readonly id?: number;
  readonly routeDirection: 'FORWARD' | 'REVERSE';
}

/**
 * The further patterns that end after stops left the route: with fewer than two left they are no way to drive, and with
 * the stops of the default or of a pattern before them they are that one.
 * @param further with the stops that are left
 * @param ofDefault the stops of the default pattern
 */
export function endingPatterns<T extends Pick<PatternOnDay, 'stops'>>(
  further: readonly T[],
  ofDefault: readonly Listed[],
): T[] {
  const known = new Set([keyOfStops(ofDefault)]);
  return further.filter(({ stops }) => {
    const key = keyOfStops(stops);
    const isEnding = stops.length < 2 || known.has(key);
    known.add(key);
    return isEnding;
  });
}

const keyOfStops = (stops: readonly Listed[]): string =>
  (['FORWARD', 'REVERSE'] as const)
    .map((direction) =>
      stops.flatMap((stop) => (stop.routeDirection === direction ? (stop.id ?? 'new') : [])),
    )
    .join('|');

/**
 * Replaces the further patterns of a route from a day on. One of the same name keeps its id, also one that begins later;
 * a default pattern of that name gets another name.
 * @param stopIds the list of stops that the patterns refer to
 * @throws AppError conflict for equal patterns
 */
export async function replacePatterns(
  tx: Tx,
  routeId: number,
  day: string,
  stopIds: readonly number[],
  wanted: readonly IndexedPattern[],
): Promise<void> {
  const [first, ...before] = await listPatternsOn(tx, routeId, day);
  const names = wanted.map(({ name }) => name);
  const keys = new Set(names.map(nameKey));
  if (first !== undefined && first.id !== null && keys.has(nameKey(first.name))) {
    const name = freeName(nameOf(first.stops), names);
    await savePattern(tx, first.id, day, { name, stopIds: null, track: null, runs: null });
  }
  for (const { id, name } of before) {
    if (id !== null && !keys.has(nameKey(name))) await savePattern(tx, id, day, null);
  }
  if (first?.id === null && wanted.length > 0) {
    await nameDefault(tx, routeId, day, freeName(first.name, names));
  }
  const kept = await listLaterNames(tx, routeId, day);
  for (const { id, name } of before) if (id !== null) kept.set(nameKey(name), id);
  const values = wanted.map(({ name, stops, track, runs }) => ({
    name,
    runs,
    stopIds: stops.flatMap((index) => stopIds[index] ?? []),
    track: track.length > 0 ? track : null,
  }));
  // A new pattern may have the stops that a known one loses.
  for (const value of values) {
    const id = kept.get(nameKey(value.name));
    if (id !== undefined) await savePattern(tx, id, day, value);
  }
  for (const value of values) {
    if (!kept.has(nameKey(value.name))) await insertPattern(tx, routeId, day, value);
  }
}
