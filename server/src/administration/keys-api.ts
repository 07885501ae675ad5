import * as contract from '@ridewatch/contract/api-keys';
import { checkHasKeys, findKey, findKeyClient } from '../access/api-key.ts';
import { lockRights } from '../auth/accounts.ts';
import { serve } from '../core/http/http.ts';
import type { Feature } from '../deps.ts';
import { createKey, listKeys, readKey, revokeKey } from './keys.ts';
import { lockRightsOver } from './lock-rights.ts';

/** API keys, for those who administer their customer and for its own users with the edit right. */
export const addApiKeys: Feature = (app, { database: { db } }, auth) => {
  serve(app, auth, contract.listApiKeys, 'user', async ({ viewer, query }) => {
    if (query.clientId !== undefined) await findKeyClient(db, viewer, query.clientId);
    checkHasKeys(viewer);
    return listKeys(db, viewer, query);
  });

  serve(app, auth, contract.findApiKey, 'user', async ({ viewer, params }) =>
    readKey(db, await findKey(db, viewer, params.keyId)),
  );

  serve(app, auth, contract.createApiKey, 'user', ({ viewer, actor, body }) =>
    db.transaction().execute(async (tx) => {
      const { id } = await findKeyClient(tx, viewer, body.client_id);
      const present = await lockRights(tx, viewer, { clientIds: [id] });
      const client = await findKeyClient(tx, present, id);
      return createKey(tx, { ...actor, userId: viewer.userId }, client, body);
    }),
  );

  serve(app, auth, contract.revokeApiKey, 'user', async ({ viewer, actor, params }) => {
    await findKey(db, viewer, params.keyId);
    const revoked = await db.transaction().execute(async (tx) => {
      const present = await lockRightsOver(tx, viewer);
      return revokeKey(tx, actor, await findKey(tx, present, params.keyId));
    });
    auth.forget([revoked]);
    return undefined;
  });
};
