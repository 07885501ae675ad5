import type { RouteGroup } from '@ridewatch/contract/groups';
import type { Db, Tx } from '../../db.ts';
import { listPlaces } from '../places.ts';
import { proposeStops } from '../proposed-stops.ts';
import { insertRoute } from '../queries.ts';
import { listStopsOn, saveStops, type WantedStop } from '../stops.ts';
import { saveTrack } from '../tracks.ts';
import type { FileProposal } from './proposal.ts';

/** A route and its customer. */
export interface RouteOfClient {
  readonly id: number;
  readonly clientId: number;
}

/** The stops of a file as those of a route, or of a new one. */
export async function stopsOfFile(
  db: Db,
  proposal: FileProposal,
  clientId: number,
  current: { readonly groupId: number; readonly day: string } | null,
): Promise<WantedStop[]> {
  const stops = current === null ? [] : await listStopsOn(db, current.groupId, current.day);
  return proposeStops(proposal.stops, stops, await listPlaces(db, clientId));
}

/** Makes a route of a file. @returns its id */
export async function insertFileRoute(
  tx: Tx,
  clientId: number,
  route: Pick<RouteGroup, 'name' | 'type_calculation'>,
  proposal: FileProposal,
  day: string,
): Promise<number> {
  const stops = await stopsOfFile(tx, proposal, clientId, null);
  const made = { ...route, track: proposal.track, stops, costs: [] };
  return insertRoute(tx, clientId, made, { day, field: '' });
}

/** Renews what the file has: a file without a line leaves the track, one without stops leaves these. */
export async function saveFile(
  tx: Tx,
  group: RouteOfClient,
  day: string,
  proposal: FileProposal,
): Promise<void> {
  if (proposal.track.length > 0) await saveTrack(tx, group.id, day, proposal.track);
  if (proposal.stops.length === 0) return;
  const stops = await stopsOfFile(tx, proposal, group.clientId, { groupId: group.id, day });
  await saveStops(tx, group, day, stops);
}
