// The patterns of a file take the place of those of a route.
import type { Point } from '@ridewatch/contract/primitives';
import type { Tx } from '../core/db/db.ts';
import { freeName, nameOf } from './pattern-names.ts';
import { listLaterNames, nameDefault, savePattern } from './pattern-rows.ts';
import { insertPattern, listPatternsOn } from './patterns.ts';

/** A pattern of a file. */
export interface IndexedPattern {
  readonly name: string;
  /** Indexes of its stops in a list of stops. */
  readonly stops: readonly number[];
  readonly track: readonly Point[];
}

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
  if (first !== undefined && first.id !== null && names.includes(first.name)) {
    const name = freeName(nameOf(first.stops), names);
    await savePattern(tx, first.id, day, { name, stopIds: null, track: null });
  }
  for (const { id, name } of before) {
    if (id !== null && !names.includes(name)) await savePattern(tx, id, day, null);
  }
  if (first?.id === null && wanted.length > 0) {
    await nameDefault(tx, routeId, day, freeName(first.name, names));
  }
  const kept = await listLaterNames(tx, routeId, day);
  for (const { id, name } of before) if (id !== null) kept.set(name, id);
  const values = wanted.map(({ name, stops, track }) => ({
    name,
    stopIds: stops.flatMap((index) => stopIds[index] ?? []),
    track: track.length > 0 ? track : null,
  }));
  // A new pattern may have the stops that a known one loses.
  for (const value of values) {
    const id = kept.get(value.name);
    if (id !== undefined) await savePattern(tx, id, day, value);
  }
  for (const value of values) {
    if (!kept.has(value.name)) await insertPattern(tx, routeId, day, value);
  }
}
