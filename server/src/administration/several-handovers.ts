// Several buses that go to other customers from the next day on.
import type { BusOwner } from '@ridewatch/contract/admin-buses';
import type { changeBuses } from '@ridewatch/contract/admin-several';
import type { ResponseOf } from '@ridewatch/contract/endpoint';
import { sql } from 'kysely';
import { checkAdministers } from '../access/administration.ts';
import { findClients } from '../access/client.ts';
import { isVisibleBus } from '../access/visible.ts';
import { announceBusChange } from '../buses/announce.ts';
import { type Actor, insertAudits } from '../core/audit.ts';
import type { Tx } from '../core/db/db.ts';
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

type FormerClients = NonNullable<ResponseOf<typeof changeBuses>['former_clients']>;

/**
 * Gives buses to other customers, as `moveBuses`.
 * @param ids of locked buses, ascending
 * @throws AppError not_found for a foreign customer
 */
export async function handOver(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  ids: readonly number[],
  clientIds: readonly number[],
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
  return { changed, refused: goneAmong(ids, rows), effects };
}

function effectsOf(handover: Handover | undefined, owners: BusOwner[] = []) {
  const { from = null, isRouteEnded = false, isFareEnded = false } = handover ?? {};
  return { from, route_ends: isRouteEnded, fare_ends: isFareEnded, owners };
}
