import * as contract from '@ridewatch/contract/admin-upstreams';
import { lockAdministrator } from '../auth/lock-administrator.ts';
import type { Tx } from '../core/db/db.ts';
import { serve } from '../core/http/http.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Feature } from '../deps.ts';
import { listUpstreamBuses, numberUpstreamBuses } from './upstream-buses.ts';
import {
  changeUpstream,
  createUpstream,
  deleteUpstream,
  listUpstreams,
  readUpstream,
  tryUpstream,
} from './upstreams.ts';

/** Systems to which records are passed on, for administrators. */
export const addUpstreams: Feature = (app, { database: { db } }, auth) => {
  const write = <T>(viewer: Viewer, change: (tx: Tx) => Promise<T>): Promise<T> =>
    db.transaction().execute(async (tx) => {
      await lockAdministrator(tx, viewer);
      return change(tx);
    });

  serve(
    app,
    auth,
    contract.listUpstreams,
    'admin',
    ({ query }) => listUpstreams(db, query),
    'nothing',
  );

  serve(
    app,
    auth,
    contract.findUpstream,
    'admin',
    ({ params }) => readUpstream(db, params.upstreamId),
    'nothing',
  );

  serve(
    app,
    auth,
    contract.createUpstream,
    'admin',
    ({ viewer, actor, body }) => write(viewer, (tx) => createUpstream(tx, actor, body)),
    'nothing',
  );

  serve(
    app,
    auth,
    contract.changeUpstream,
    'admin',
    ({ viewer, actor, params, body }) =>
      write(viewer, (tx) => changeUpstream(tx, actor, params.upstreamId, body)),
    'nothing',
  );

  serve(
    app,
    auth,
    contract.tryUpstream,
    'admin',
    ({ viewer, actor, params }) => write(viewer, (tx) => tryUpstream(tx, actor, params.upstreamId)),
    'nothing',
  );

  serve(
    app,
    auth,
    contract.deleteUpstream,
    'admin',
    async ({ viewer, actor, params }) => {
      await write(viewer, (tx) => deleteUpstream(tx, actor, params.upstreamId));
      return undefined;
    },
    'nothing',
  );

  serve(
    app,
    auth,
    contract.listUpstreamBuses,
    'admin',
    ({ params, query }) => listUpstreamBuses(db, params.upstreamId, query),
    'nothing',
  );

  serve(
    app,
    auth,
    contract.numberUpstreamBuses,
    'admin',
    ({ viewer, actor, params, body }) =>
      write(viewer, (tx) => numberUpstreamBuses(tx, actor, params.upstreamId, body)),
    'nothing',
  );
};
