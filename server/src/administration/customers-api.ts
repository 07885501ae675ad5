import * as contract from '@ridewatch/contract/admin-customers';
import { findClient } from '../access/client.ts';
import { writeAsAdministrator } from '../auth/lock-administrator.ts';
import { serve } from '../core/http/http.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Feature } from '../deps.ts';
import { changeCustomer, insertCustomer, listCustomers, readCustomer } from './customers.ts';

/** Customers; only administrators see and change them. */
export const addCustomers: Feature = (app, { database: { db } }, auth) => {
  const named = (call: { viewer: Viewer; params: { id: number } }) =>
    findClient(db, call.viewer, call.params.id);

  serve(
    app,
    auth,
    contract.listCustomers,
    'admin',
    ({ query }) => listCustomers(db, query),
    'nothing',
  );

  serve(
    app,
    auth,
    contract.findCustomer,
    'admin',
    ({ params }) => readCustomer(db, params.id),
    named,
  );

  serve(
    app,
    auth,
    contract.createCustomer,
    'admin',
    async ({ viewer, actor, body }) => {
      const { made, ended } = await writeAsAdministrator(db, viewer, (tx) =>
        insertCustomer(tx, actor, body),
      );
      auth.forget(ended);
      return made;
    },
    'nothing',
  );

  serve(
    app,
    auth,
    contract.updateCustomer,
    'admin',
    async ({ viewer, actor, params, body }) => {
      const { row, ended } = await writeAsAdministrator(db, viewer, async (tx) =>
        changeCustomer(tx, actor, await findClient(tx, viewer, params.id), body),
      );
      auth.forget(ended);
      return row;
    },
    named,
  );
};
