import * as contract from '@ridewatch/contract/admin-unknown-units';
import { serve } from '../core/http/http.ts';
import type { Feature } from '../deps.ts';
import {
  adoptUnknownUnit,
  ignoreUnknownUnit,
  listUnknownUnits,
  readUnknownUnit,
} from './unknown-units.ts';

/** Ids that knock in a protocol without secrets, for administrators. */
export const addUnknownUnits: Feature = (app, { database: { db } }, auth) => {
  serve(
    app,
    auth,
    contract.listUnknownUnits,
    'admin',
    ({ query }) => listUnknownUnits(db, query),
    'nothing',
  );

  serve(
    app,
    auth,
    contract.findUnknownUnit,
    'admin',
    ({ params }) => readUnknownUnit(db, params.unknownId),
    'nothing',
  );

  serve(
    app,
    auth,
    contract.adoptUnknownUnit,
    'admin',
    ({ params, actor }) =>
      db.transaction().execute((tx) => adoptUnknownUnit(tx, actor, params.unknownId)),
    'nothing',
  );

  serve(
    app,
    auth,
    contract.ignoreUnknownUnit,
    'admin',
    ({ params, actor, body }) =>
      db
        .transaction()
        .execute((tx) => ignoreUnknownUnit(tx, actor, params.unknownId, body.ignored)),
    'nothing',
  );
};
