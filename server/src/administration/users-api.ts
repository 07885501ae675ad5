import * as contract from '@ridewatch/contract/admin-users';
import {
  asAdministered,
  checkAdministers,
  findAdministeredUser,
  findUser,
} from '../access/administration.ts';
import { findClients } from '../access/client.ts';
import { hashNewPassword, lockRights } from '../auth/accounts.ts';
import { serve } from '../core/http/http.ts';
import { createTurns } from '../core/turns.ts';
import type { Feature } from '../deps.ts';
import { changeUser, insertUser, listUsers, readUser } from './users.ts';

/** Longest wait for the hash of a password, ms. */
const HASH_WAIT_MS = 5000;

/** Users. */
export const addUsers: Feature = (app, { database: { db } }, auth) => {
  // A hash takes a core for tens of milliseconds.
  const turns = createTurns({
    mostWaiting: 20,
    mostOfOne: 5,
    message: 'Too many users are being created. Try again soon.',
    retryAfterS: 2,
  });

  serve(app, auth, contract.listUsers, 'user', async ({ viewer, query }) => {
    if (query.clientId !== undefined) await findClients(db, viewer, [query.clientId]);
    checkAdministers(viewer);
    return listUsers(db, viewer, query);
  });

  serve(app, auth, contract.findUser, 'user', async ({ viewer, params }) =>
    readUser(db, asAdministered(viewer, await findUser(db, viewer, params.userId))),
  );

  serve(app, auth, contract.createUser, 'user', async ({ viewer, actor, body }) => {
    const { password, ...fields } = body;
    if (fields.client_id !== null) await findClients(db, viewer, [fields.client_id]);
    checkAdministers(viewer);
    const end = await turns.take(viewer.userId, HASH_WAIT_MS);
    const hash = await hashNewPassword(password, 'password').finally(end);
    return db.transaction().execute(async (tx) => {
      const clientIds = fields.client_id === null ? [] : [fields.client_id];
      const present = await lockRights(tx, viewer, { clientIds });
      checkAdministers(present);
      const id = await insertUser(tx, present, actor, fields, hash);
      return readUser(tx, { id });
    });
  });

  serve(app, auth, contract.updateUser, 'user', async ({ viewer, actor, params, body }) => {
    const { row, ended } = await db.transaction().execute(async (tx) => {
      const { id } = await findAdministeredUser(tx, viewer, params.userId);
      if (body.client_id) await findClients(tx, viewer, [body.client_id]);
      const clientIds = body.client_id ? [body.client_id] : [];
      const present = await lockRights(tx, viewer, { userId: id, clientIds });
      const user = await findAdministeredUser(tx, present, id);
      return changeUser(tx, present, actor, user, body);
    });
    auth.forget(ended);
    return row;
  });
};
