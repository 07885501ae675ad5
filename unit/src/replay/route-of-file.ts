// Puts the buses of a recording on a route that a file describes.
import path from 'node:path';
import { addressOf } from '@ridewatch/contract/address';
import { BusRoute, listClientRoutes } from '@ridewatch/contract/bus-routes';
import { addBusToRoute, createRouteFromFile, RouteFileAnswer } from '@ridewatch/contract/routes';
import { OLDEST_RECORD } from '@ridewatch/contract/unit';
import * as z from 'zod/mini';
import { type Administrator, SetUpError } from '../fleet-set-up.ts';
import type { ReplayFlags } from './flags.ts';

/** The route is valid from this local day on, so that the recording can be played as any day. */
const VALID_FROM = OLDEST_RECORD.slice(0, 10);

/** The values of `--route`, `--route-name` and `--route-choice`. */
export type RouteFlags = NonNullable<ReplayFlags['route']>;

/**
 * Makes the route of a file; one of its name that the customer has stays as it is.
 * @param content the file's
 * @param say prints a line for the operator
 * @throws SetUpError for a file that the server refuses, and one with several routes of which none is chosen
 */
export async function findOrMakeRoute(
  administrator: Administrator,
  clientId: number,
  flags: RouteFlags,
  content: Buffer,
  say: (line: string) => void,
): Promise<BusRoute> {
  const send = async (preview: boolean): Promise<RouteFileAnswer> => {
    const form = new FormData();
    form.append('file', new File([new Uint8Array(content)], path.basename(flags.file)));
    const { name, choice } = flags;
    const fields = { clientId, name, choice, preview, valid_from: VALID_FROM };
    for (const [field, value] of Object.entries(fields)) {
      if (value !== undefined) form.append(field, String(value));
    }
    const refused = `The server refused ${flags.file}`;
    const answer = await administrator.call('POST', createRouteFromFile.path, form, refused);
    return RouteFileAnswer.parse(answer);
  };
  const { proposal } = await send(true);
  if (proposal.choices.length > 0 && proposal.choice === null) {
    const choices = proposal.choices.map(({ id, name }) => `  ${id}  ${name}`);
    throw new SetUpError(
      [`${flags.file} has several routes. Choose one with --route-choice ID:`, ...choices].join(
        '\n',
      ),
    );
  }
  for (const note of proposal.notes) say(`${flags.file}: ${note}`);
  const known = await listRoutes(administrator, clientId);
  const same = known.find(({ name }) => name === proposal.name);
  if (same !== undefined) {
    say(`The customer has a route '${same.name}', which stays as it is.`);
    return same;
  }
  const { group } = await send(false);
  if (group === null) throw new SetUpError(`The server made no route of ${flags.file}.`);
  say(`Route '${group.name}' made`);
  return group;
}

/**
 * Puts a bus on a route from a local day on.
 * @param day `YYYY-MM-DD`
 * @throws SetUpError
 */
export async function putOnRoute(
  administrator: Administrator,
  busId: number,
  routeId: number,
  day: string,
): Promise<void> {
  const body = { workplaceId: busId, groupId: routeId, valid_from: day };
  const refused = 'The server did not put the bus on the route';
  await administrator.call('PUT', addBusToRoute.path, body, refused);
}

const Routes = z.object({ items: z.array(BusRoute) });

async function listRoutes(administrator: Administrator, clientId: number): Promise<BusRoute[]> {
  const address = addressOf(listClientRoutes, { params: { customerId: clientId } });
  const refused = "The server refused the customer's routes";
  return Routes.parse(await administrator.call('GET', address, undefined, refused)).items;
}
