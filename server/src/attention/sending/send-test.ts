import { randomUUID } from 'node:crypto';
import type { AttentionChannel } from '@ridewatch/contract/attention';
import type { SettingsOwner } from '../../access/cause.ts';
import type { Editable } from '../../access/visible.ts';
import { type Actor, insertAudit } from '../../core/audit.ts';
import type { SendMail } from '../../core/mail.ts';
import type { Deps } from '../../deps.ts';
import { readSettings } from '../settings.ts';
import { reasonOf } from './reason.ts';
import { postWebhook } from './webhook.ts';
import { testMailOf } from './words.ts';

/**
 * Sends a message that says it is a test, by the way and to the address of every other message. Quiet hours do not hold
 * it: the user who asks waits for it.
 * @returns why it was not taken, in a sentence for people; null if it was
 */
export async function sendTest(
  { config, clock, database: { db }, sendMail }: Deps & { readonly sendMail: SendMail | undefined },
  actor: Actor,
  owner: Editable<SettingsOwner>,
  channel: AttentionChannel,
): Promise<string | null> {
  const { clientId } = owner;
  const stored = await readSettings(db, clientId);
  const send = async (): Promise<void> => {
    if (channel === 'mail') {
      if (sendMail === undefined) throw new Error('SMTP_URL is not set');
      if (!stored?.mail_to.length) throw new Error('there is no mail address');
      return sendMail({ to: stored.mail_to, ...testMailOf(stored.language, config.companyName) });
    }
    if (!stored?.webhook_url || !stored.webhook_secret) throw new Error('there is no webhook');
    const [nowMs, deliveryId] = [clock.nowMs(), randomUUID()];
    const body = JSON.stringify({
      delivery: deliveryId,
      sent_at: new Date(nowMs).toISOString(),
      client_id: clientId,
      test: true,
      causes: [],
    });
    const { webhook_url: url, webhook_secret: secret } = stored;
    return postWebhook({ url, secret, deliveryId, body, nowMs }, config.mayCallPrivateAddresses);
  };
  const error = await send().then(() => null, reasonOf);
  await insertAudit(db, actor, {
    action: 'test_attention_channel',
    objectType: clientId === null ? 'installation' : 'client',
    ...(clientId === null ? {} : { objectId: clientId }),
    after: { channel, error },
  });
  return error;
}
