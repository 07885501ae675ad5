import * as contract from '@ridewatch/contract/attention';
import { findEditableSettingsOwner, findSettingsOwner } from '../access/cause.ts';
import { lockRights } from '../auth/accounts.ts';
import { serve } from '../core/http/http.ts';
import { createMailSender } from '../core/mail.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Feature } from '../deps.ts';
import { listOpenCauses } from './causes.ts';
import { sendTest } from './sending/send-test.ts';
import { createTestLimit } from './sending/test-limit.ts';
import { findSettings, storeSettings } from './settings.ts';

/** Answers what needs attention, and where its messages go. */
export const addAttention: Feature = (app, deps, auth) => {
  const { config, clock, database } = deps;
  const { db } = database;
  const sendMail = createMailSender(config);
  const limited = createTestLimit(clock);
  const questionOf = ({ canEdit }: Viewer) => ({
    ...{ nowMs: clock.nowMs(), hasMail: config.smtpUrl !== undefined, mayEdit: canEdit },
  });

  serve(app, auth, contract.listCauses, 'user', ({ viewer }) =>
    listOpenCauses(db, viewer, clock.nowMs()),
  );

  serve(app, auth, contract.findAttentionSettings, 'user', async ({ viewer, query }) =>
    findSettings(db, await findSettingsOwner(db, viewer, query.clientId), questionOf(viewer)),
  );

  serve(app, auth, contract.setAttentionSettings, 'user', ({ viewer, actor, query, body }) =>
    db.transaction().execute(async (tx) => {
      const { clientId } = await findEditableSettingsOwner(tx, viewer, query.clientId);
      // The address goes on getting messages when the user's rights have ended.
      const clientIds = clientId === null ? [] : [clientId];
      const present = await lockRights(tx, viewer, { clientIds }, 'share');
      const owner = await findEditableSettingsOwner(tx, present, query.clientId);
      const secret = await storeSettings(tx, actor, owner, body);
      return { ...(await findSettings(tx, owner, questionOf(present))), webhook_secret: secret };
    }),
  );

  serve(
    app,
    auth,
    contract.testAttentionChannel,
    'user',
    async ({ viewer, actor, query, body }) => {
      const owner = await findEditableSettingsOwner(db, viewer, query.clientId);
      const { channel } = body;
      const error = await limited(`${owner.clientId} ${channel}`, () =>
        sendTest({ ...deps, sendMail }, actor, owner, channel),
      );
      return { error };
    },
  );
};
