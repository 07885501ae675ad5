import { changeUnknownUnits } from '@ridewatch/contract/admin-several';
import * as contract from '@ridewatch/contract/admin-unknown-units';
import { writeAsAdministrator } from '../auth/lock-administrator.ts';
import { serve } from '../core/http/http.ts';
import type { Feature } from '../deps.ts';
import {
  adoptUnknownUnit,
  ignoreUnknownUnit,
  ignoreUnknownUnits,
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
    ({ viewer, params, actor }) =>
      writeAsAdministrator(db, viewer, (tx) => adoptUnknownUnit(tx, actor, params.unknownId)),
    'nothing',
  );

  serve(
    app,
    auth,
    contract.ignoreUnknownUnit,
    'admin',
    ({ viewer, params, actor, body }) =>
      writeAsAdministrator(db, viewer, (tx) =>
        ignoreUnknownUnit(tx, actor, params.unknownId, body.ignored),
      ),
    'nothing',
  );

  serve(
    app,
    auth,
    changeUnknownUnits,
    'admin',
    ({ viewer, actor, body }) =>
      writeAsAdministrator(db, viewer, (tx) => ignoreUnknownUnits(tx, actor, body)),
    'nothing',
  );
};
