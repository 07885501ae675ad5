import * as contract from '@ridewatch/contract/admin-sections';
import { MAX_PAGE_SIZE } from '@ridewatch/contract/paging';
import { sql } from 'kysely';
import { checkAdministers, isVisibleUnit, isVisibleUser } from '../access/administration.ts';
import { clientName } from '../access/client.ts';
import { isOfVisibleClient, isOwnDay, isVisibleBus } from '../access/visible.ts';
import { listClosedPorts } from '../core/closed-ports.ts';
import type { Db } from '../core/db/db.ts';
import { serve } from '../core/http/http.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Feature } from '../deps.ts';

/** Sections that only administrators open. */
const ADMINS_ONLY: readonly contract.AdminSection[] = [
  ...([
    'customers',
    'unknown_units',
    'upstreams',
    'news',
    'messages',
    'audit',
    'jobs',
    'storage',
  ] as const),
];

/** The menu of the administration. */
export const addAdminOverview: Feature = (app, { database: { db }, videoOff }, auth) => {
  serve(app, auth, contract.findAdminOverview, 'user', async ({ viewer }) => {
    checkAdministers(viewer);
    const counts = await countObjects(db, viewer);
    const open = contract.AdminSection.options.filter(
      (section) => viewer.role === 'ADMIN' || !ADMINS_ONLY.includes(section),
    );
    const clients = await db
      .selectFrom('clients')
      .select(['id', clientName.as('name')])
      .where(isOfVisibleClient(viewer, sql.ref('clients.id')))
      .orderBy(sql`name collate natural_ru`)
      .limit(MAX_PAGE_SIZE)
      .execute();
    return {
      sections: open.map((section) => ({ section, count: counts[section] ?? null })),
      clients,
      video_off: viewer.role === 'ADMIN' ? (videoOff?.reason ?? null) : null,
      closed_ports: viewer.role === 'ADMIN' ? await listClosedPorts(db) : [],
    };
  });
};

async function countObjects(
  db: Db,
  viewer: Viewer,
): Promise<Partial<Record<contract.AdminSection, number>>> {
  const ofClient = (column: string) => isOfVisibleClient(viewer, sql.ref(column));
  const { rows } = await sql<Partial<Record<contract.AdminSection, number>>>`
    select
      (select count(*)::int from clients) as customers,
      (select count(*)::int from users where ${isVisibleUser(viewer)}) as users,
      (select count(*)::int from api_keys where revoked_at is null
        and ${ofClient('api_keys.client_id')}) as keys,
      (select count(*)::int from workplaces where retired_at is null
        and ${isVisibleBus(viewer, sql.ref('workplaces.id'))}) as buses,
      (select count(*)::int from units where ${isVisibleUnit(viewer)}) as units,
      (select count(*)::int from unknown_units where not ignored) as unknown_units,
      (select count(*)::int from upstreams) as upstreams,
      (select count(*)::int from cameras
        where ${isVisibleBus(viewer, sql.ref('cameras.workplace_id'))}) as cameras,
      (select count(*)::int from route_groups
        where not deleted and ${ofClient('route_groups.client_id')}) as groups,
      (select count(*)::int from stop_classifiers
        where ${ofClient('stop_classifiers.client_id')}) as classifiers,
      (select count(*)::int from news) as news,
      (select count(*)::int from messages where details is null) as messages,
      (select count(*)::int from lap_days where failure is not null
        and ${isVisibleBus(viewer, sql.ref('lap_days.workplace_id'))}
        and ${isOwnDay(viewer, sql.ref('lap_days.workplace_id'), sql.ref('lap_days.day'))}) as days`.execute(
    db,
  );
  return rows[0] ?? {};
}
