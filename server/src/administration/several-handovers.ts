// Several buses that go to other customers from the next day on.
import type { BusOwner } from '@ridewatch/contract/admin-buses';
import type { changeBuses } from '@ridewatch/contract/admin-several';
import type { BodyOf, ResponseOf } from '@ridewatch/contract/endpoint';
import { sql } from 'kysely';
import { checkAdministers } from '../access/administration.ts';
import { findClients } from '../access/client.ts';
import { isVisibleBus } from '../access/visible.ts';
import { announceBusChange } from '../buses/announce.ts';
import { type Actor, insertAudits } from '../core/audit.ts';
import type { Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { bumpAllDays } from '../days/bus-days.ts';
import { lockSettingsOf } from '../days/bus-settings.ts';
import { listClientsOfBuses } from './buses.ts';
import { type Handover, listOwnersOf, moveBuses } from './owners.ts';
import { goneAmong, LOT, lotsOf, type Outcome } from './several-rows.ts';

/** The result of a move of several buses, with its effects. */
export interface HandedOver extends Outcome {
  readonly effects: FormerClients;
}

type Change = Extract<BodyOf<typeof changeBuses>['change'], { client_ids: unknown }>;
type FormerClients = NonNullable<ResponseOf<typeof changeBuses>['former_clients']>;

/**
 * Gives buses to other customers, as `moveBuses`. Buses of which the user has seen another first day are refused: midnight,
 * or the first records, have come between.
 * @param ids of locked buses, ascending
 * @throws AppError not_found for a foreign customer
 */
export async function handOver(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  ids: readonly number[],
  { client_ids: clientIds, seen }: Change,
): Promise<HandedOver> {
  checkAdministers(viewer);
  const clients = await findClients(tx, viewer, clientIds);
  const { rows } = await sql<{ id: number }>`
    select id from workplaces
    where id = any(${[...ids]}::bigint[]) and ${isVisibleBus(viewer, sql.ref('workplaces.id'))}
    order by id`.execute(tx);
  const formerOf = new Map(
    (await listClientsOfBuses(tx, viewer, ids)).map((one) => [one.id, one.clients]),
  );
  const keyOf = (own: readonly { readonly id: number }[]): string => `${own.map(({ id }) => id)}`;
  const changed = rows
    .map(({ id }) => id)
    .filter((id) => keyOf(formerOf.get(id) ?? []) !== keyOf(clients));
  const handovers = new Map<number, Handover>();
  for (const lot of lotsOf(changed, LOT)) {
    const asked = lot.map((busId) => ({ busId, validFrom: undefined }));
    const locked = await lockSettingsOf(tx, asked, actor.atMs);
    const moving = [...locked].map(([busId, { today }]) => ({ busId, today }));
    for (const [id, one] of await moveBuses(tx, viewer, actor, moving, clients)) {
      handovers.set(id, one);
    }
    await announceBusChange(tx);
    const entries = lot.map((id) => ({
      ...{ action: 'set_bus' as const, objectType: 'workplace', objectId: id },
      ...{ before: { clients: formerOf.get(id) ?? [] }, after: { clients } },
    }));
    await insertAudits(tx, actor, entries);
  }
  await bumpAllDays(tx, changed);
  const owners = await listOwnersOf(tx, viewer, changed);
  const effects = changed.map((id) => {
    const one = { id, clients: formerOf.get(id) ?? [] };
    return { ...one, ...effectsOf(handovers.get(id), owners.get(id)) };
  });
  const refused = new Map([...goneAmong(ids, rows), ...unseenDays(handovers, seen)]);
  return { changed: changed.filter((id) => !refused.has(id)), refused, effects };
}

/** The refusals of buses whose first day the user has seen otherwise, or not at all. */
function unseenDays(
  handovers: ReadonlyMap<number, Handover>,
  seen: Change['seen'],
): (readonly [number, AppError])[] {
  if (seen === undefined) return [];
  const seenFrom = new Map(seen.map(({ id, from }) => [id, from]));
  const message =
    'The first day of the new customers has changed meanwhile. Ask for a preview again.';
  return [...handovers]
    .filter(([id, { from }]) => seenFrom.get(id) !== from)
    .map(([id]) => [id, new AppError('conflict', message, { field: 'client_ids' })]);
}

function effectsOf(handover: Handover | undefined, owners: BusOwner[] = []) {
  const { from = null, isRouteEnded = false, isFareEnded = false } = handover ?? {};
  return { from, route_ends: isRouteEnded, fare_ends: isFareEnded, owners };
}
