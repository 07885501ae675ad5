import * as contract from '@ridewatch/contract/attention';
import { findEditableSettingsOwner, findSettingsOwner } from '../access/cause.ts';
import { serve } from '../core/http/http.ts';
import type { Feature } from '../deps.ts';
import { listOpenCauses } from './queries.ts';
import { findSettings, storeSettings } from './settings.ts';

/** What needs attention, and where its messages go. */
export const addAttention: Feature = (app, { config, clock, database }, auth) => {
  const { db } = database;
  const question = () => ({ nowMs: clock.nowMs(), hasMail: config.smtpUrl !== undefined });

  serve(app, auth, contract.listCauses, 'user', ({ viewer }) =>
    listOpenCauses(db, viewer, clock.nowMs()),
  );

  serve(app, auth, contract.findAttentionSettings, 'user', async ({ viewer, query }) =>
    findSettings(db, await findSettingsOwner(db, viewer, query.clientId), question()),
  );

  serve(app, auth, contract.setAttentionSettings, 'user', ({ viewer, actor, query, body }) =>
    db.transaction().execute(async (tx) => {
      const owner = await findEditableSettingsOwner(tx, viewer, query.clientId);
      const secret = await storeSettings(tx, actor, owner, body);
      return { ...(await findSettings(tx, owner, question())), webhook_secret: secret };
    }),
  );
};
