import * as contract from '@ridewatch/contract/admin-upstreams';
import { writeAsAdministrator } from '../auth/lock-administrator.ts';
import { serve } from '../core/http/http.ts';
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
    ({ viewer, actor, body }) =>
      writeAsAdministrator(db, viewer, (tx) => createUpstream(tx, actor, body)),
    'nothing',
  );

  serve(
    app,
    auth,
    contract.changeUpstream,
    'admin',
    ({ viewer, actor, params, body }) =>
      writeAsAdministrator(db, viewer, (tx) => changeUpstream(tx, actor, params.upstreamId, body)),
    'nothing',
  );

  serve(
    app,
    auth,
    contract.tryUpstream,
    'admin',
    ({ viewer, actor, params }) =>
      writeAsAdministrator(db, viewer, (tx) => tryUpstream(tx, actor, params.upstreamId)),
    'nothing',
  );

  serve(
    app,
    auth,
    contract.deleteUpstream,
    'admin',
    async ({ viewer, actor, params }) => {
      await writeAsAdministrator(db, viewer, (tx) => deleteUpstream(tx, actor, params.upstreamId));
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
      writeAsAdministrator(db, viewer, (tx) =>
        numberUpstreamBuses(tx, actor, params.upstreamId, body),
      ),
    'nothing',
  );
};
