// Sends what is due, each minute and when a cause was opened. Channels are sent at once, a message each; a channel that
// answers late holds one of many places, so that it delays no other customer.
import { randomUUID } from 'node:crypto';
import type { Cause } from '@ridewatch/contract/attention';
import { createFaultLog, type FaultLog } from '../../core/fault-log.ts';
import { EVERY_MINUTE, type JobDefinition } from '../../core/jobs/jobs.ts';
import { createMailSender, type SendMail } from '../../core/mail.ts';
import type { Deps } from '../../deps.ts';
import { listCausesById } from '../causes.ts';
import {
  claimChannel,
  type DueChannel,
  dropOutdated,
  holdUntil,
  markSent,
  markTried,
} from './outbox.ts';
import { quietUntil } from './quiet-hours.ts';
import { reasonOf } from './reason.ts';
import { postWebhook } from './webhook.ts';
import { mailOf } from './words.ts';

/** Channels that are sent to at once; each waits for somebody else's machine, not for ours. */
const PLACES = 24;
/** Longest error that is stored, characters. */

/** Sends the messages about causes. */
export function sendAttentionJob(deps: Deps): JobDefinition {
  const { clock, config, log } = deps;
  const { db } = deps.database;
  const sendMail = createMailSender(config);
  const faults = createFaultLog(deps);
  return {
    name: 'send_attention',
    schedule: EVERY_MINUTE,
    run: async (_payload, { signal }) => {
      await dropOutdated(db, clock.nowMs());
      const sending = new Set<Promise<void>>();
      while (!signal.aborted) {
        const due = await claimChannel(db, clock.nowMs());
        if (due === undefined) break;
        const one = sendTo(deps, { sendMail, faults }, due)
          .catch((err: unknown) => log.error({ err }, 'messages were not sent'))
          .finally(() => sending.delete(one));
        sending.add(one);
        if (sending.size >= PLACES) await Promise.race(sending);
      }
      await Promise.all(sending);
    },
  };
}

interface Ways {
  readonly sendMail: SendMail | undefined;
  /** A far end that is away for days would fill the log. */
  readonly faults: FaultLog;
}

async function sendTo(deps: Deps, { sendMail, faults }: Ways, due: DueChannel): Promise<void> {
  const { clock } = deps;
  const { db } = deps.database;
  const subject = `${due.channel} of ${due.clientId}`;
  const { deliveryIds: ids, quietFrom: from, quietTo: to, channel, clientId } = due;
  const nowMs = clock.nowMs();
  const untilMs =
    from === null || to === null ? undefined : quietUntil(nowMs, due.timezone, { from, to });
  if (untilMs !== undefined) return holdUntil(db, ids, untilMs);
  try {
    const causes = await listCausesById(db, due.causeIds, nowMs);
    if (channel === 'webhook') await post(deps, due, causes);
    else await mail(deps, sendMail, due, causes);
    await markSent(db, ids, clock.nowMs());
    faults.work(subject, { clientId, channel }, 'messages are taken again');
  } catch (error) {
    const reason = reasonOf(error);
    const fields = { clientId, channel, attempts: due.attempts, reason };
    faults.fail(subject, reason, fields, 'a message was not taken');
    await markTried(db, ids, reason, clock.nowMs());
  }
}

async function post(
  { config, clock }: Deps,
  { webhookUrl, webhookSecret, clientId }: DueChannel,
  causes: readonly Cause[],
): Promise<void> {
  if (webhookUrl === null || webhookSecret === null) throw new Error('there is no webhook');
  const [nowMs, deliveryId] = [clock.nowMs(), randomUUID()];
  const body = JSON.stringify({
    delivery: deliveryId,
    sent_at: new Date(nowMs).toISOString(),
    client_id: clientId,
    causes: causes.map(({ seen: _ofUsers, ...cause }) => cause),
  });
  const message = { url: webhookUrl, secret: webhookSecret, deliveryId, body, nowMs };
  await postWebhook(message, config.mayCallPrivateAddresses);
}

async function mail(
  { config }: Deps,
  sendMail: SendMail | undefined,
  { mailTo: to, language }: DueChannel,
  causes: readonly Cause[],
): Promise<void> {
  if (sendMail === undefined) throw new Error('SMTP_URL is not set');
  await sendMail({ to, ...mailOf(causes, language, config.companyName) });
}
