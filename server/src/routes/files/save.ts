import type { BusRoute } from '@ridewatch/contract/bus-routes';
import type { RouteReplacement } from '@ridewatch/contract/route-proposal';
import type { Db, Tx } from '../../core/db/db.ts';
import type { Language } from '../../core/http/language.ts';
import { listCostsOn } from '../costs.ts';
import { proposeStops } from '../from-laps/proposed-stops.ts';
import { nameKey } from '../pattern-names.ts';
import { listLaterDays } from '../pattern-rows.ts';
import { listPatternsOn, type PatternOnDay } from '../patterns.ts';
import { listPlaces } from '../places.ts';
import { endingPatterns, replaceStops } from '../replace-patterns.ts';
import { insertRoute } from '../route-rows.ts';
import { checkShape, type Entry } from '../route-shape.ts';
import { listAllStopsOn, listStopsOn, type StopOnDay, type WantedStop } from '../stops.ts';
import { saveTrack } from '../tracks.ts';
import type { FileProposal } from './proposal.ts';

/** The customer of the stops, and the language of names for nameless ones. */
interface Owner {
  readonly clientId: number;
  readonly language: Language;
}

/** A route and its customer. */
interface RouteOfClient {
  readonly id: number;
  readonly clientId: number;
}

/** Turns the stops of a file into stops of an existing or a new route: those of its default pattern, then the others. */
export async function stopsOfFile(
  db: Db,
  { stops, further }: Pick<FileProposal, 'stops' | 'further'>,
  { clientId, language }: Owner,
  current: { readonly routeId: number; readonly day: string } | null,
): Promise<WantedStop[]> {
  const known = current === null ? [] : await listAllStopsOn(db, current.routeId, current.day);
  const places = await listPlaces(db, clientId);
  const ofDefault = proposeStops(stops, known, places, language);
  const taken = new Set(ofDefault.map(({ id }) => id));
  const free = known.filter(({ id }) => !taken.has(id));
  const others = proposeStops(further.stops, free, places, language);
  return [...ofDefault, ...others.map((stop) => ({ ...stop, terminal: null, inDefault: false }))];
}

/**
 * Computes what the stops and the line of a file change in a route on a day.
 * @param stops stops of the file as stops of the route
 */
export async function findReplacement(
  db: Db,
  current: { readonly routeId: number; readonly day: string },
  { track, further }: Pick<FileProposal, 'track'> & Partial<Pick<FileProposal, 'further'>>,
  stops: readonly WantedStop[],
): Promise<RouteReplacement> {
  const before = await listStopsOn(db, current.routeId, current.day);
  const kept = new Set(stops.flatMap(({ id }) => id ?? []));
  const removed = new Set(before.map(({ id }) => id).filter((id) => !kept.has(id)));
  const isReplaced = stops.length > 0;
  const costs = isReplaced ? await listCostsOn(db, current.routeId, current.day) : [];
  const lost = costs.filter(
    (cost) => removed.has(cost.from_stop_id) || removed.has(cost.to_stop_id),
  );
  return {
    track: track.length > 0,
    stops: isReplaced,
    stops_kept: isReplaced ? kept.size : before.length,
    stops_added: stops.length - kept.size,
    stops_removed: isReplaced ? removed.size : 0,
    prices_removed: lost.length,
    patterns_removed: isReplaced
      ? await removedPatterns(db, current, further?.patterns ?? [], { stops, removed })
      : [],
  };
}

// The names of the further patterns that end on the day or a later one: those that the file does not have, or cannot keep.
async function removedPatterns(
  db: Db,
  { routeId, day }: { readonly routeId: number; readonly day: string },
  ofFile: readonly { readonly name: string }[],
  { stops, removed }: { stops: readonly WantedStop[]; removed: ReadonlySet<number> },
): Promise<string[]> {
  const keys = new Set(ofFile.map(({ name }) => nameKey(name)));
  const [, ...before] = await listPatternsOn(db, routeId, day);
  const wanted = stops.filter(({ inDefault }) => inDefault !== false);
  const ending =
    ofFile.length > 0
      ? before.filter(({ name }) => !keys.has(nameKey(name)))
      : endingPatterns(without(before, removed), wanted);
  const names = new Set(ending.map(({ name }) => name));
  // The patterns of the file take the place of those that are valid on the day, not of later ones.
  const replaced = new Set(ofFile.length > 0 ? before.map(versionKey) : []);
  for (const later of await listLaterDays(db, routeId, day)) {
    const [first, ...further] = await listPatternsOn(db, routeId, later);
    const left = further.filter((one) => !replaced.has(versionKey(one)));
    const ofDefault = defaultLater(wanted, first?.stops ?? [], removed);
    for (const { name } of endingPatterns(without(left, removed), ofDefault)) names.add(name);
  }
  return [...names];
}

const without = (patterns: readonly PatternOnDay[], removed: ReadonlySet<number>) =>
  patterns.map(({ name, stops }) => ({ name, stops: stops.filter(({ id }) => !removed.has(id)) }));

const versionKey = ({ id, name, stopIds }: PatternOnDay): string =>
  JSON.stringify([id, name, stopIds]);

// The stops of the default on a later day: a wanted one may have ended by then, and others begun.
function defaultLater(
  wanted: readonly WantedStop[],
  then: readonly StopOnDay[],
  removed: ReadonlySet<number>,
): Pick<WantedStop, 'id' | 'routeDirection'>[] {
  const valid = new Set(then.map(({ id }) => id));
  const known = new Set(wanted.map(({ id }) => id));
  return [
    ...wanted.filter(({ id }) => id === undefined || valid.has(id)),
    ...then.filter(({ id }) => !known.has(id) && !removed.has(id)),
  ];
}

/** Creates a route from a file. @returns its id */
export async function insertFileRoute(
  tx: Tx,
  owner: Owner & Entry,
  route: Pick<BusRoute, 'name' | 'type_calculation'>,
  proposal: FileProposal,
  day: string,
): Promise<number> {
  const stops = await stopsOfFile(tx, proposal, owner, null);
  const { track, further } = proposal;
  const made = { ...route, track, stops, costs: [], patterns: further.patterns, entry: owner };
  return insertRoute(tx, owner.clientId, made, { day, field: '' });
}

/**
 * Replaces track and stops of a route by those of the file. Without a line the track stays; without stops the stops, and
 * with them the further patterns.
 */
export async function saveFile(
  tx: Tx,
  group: RouteOfClient,
  day: string,
  proposal: FileProposal & Entry,
): Promise<void> {
  if (proposal.track.length > 0) await saveTrack(tx, group.id, day, proposal.track);
  if (proposal.stops.length === 0) {
    checkShape([], await listStopsOn(tx, group.id, day), proposal.track, {
      language: proposal.language,
      confirmFar: true,
    });
    return;
  }
  const owner = { clientId: group.clientId, language: proposal.language };
  const stops = await stopsOfFile(tx, proposal, owner, { routeId: group.id, day });
  const { patterns } = proposal.further;
  await replaceStops(tx, group, day, stops, { entry: proposal, patterns });
}
