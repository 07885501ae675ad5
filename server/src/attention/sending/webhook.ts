import { createHmac } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { checkHost, lookupPublic } from './addresses.ts';

/** Longest time from the connection to the answer's status, ms. */
const TIMEOUT_MS = 10_000;

/** A message to a webhook. */
export interface WebhookMessage {
  readonly url: string;
  readonly secret: string;
  /** UUID. */
  readonly deliveryId: string;
  /** JSON. */
  readonly body: string;
  /** ms since 1970 UTC; in the signature, so that receivers refuse an old message. */
  readonly nowMs: number;
}

/**
 * The signature of a message, as docs/webhooks.md describes it.
 * @param seconds since 1970 UTC, as the header says
 */
export function signatureOf(secret: string, seconds: number, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

/**
 * Posts a message. Redirects are not followed: the address that was checked is the one that gets it.
 * @param mayCallPrivate whether addresses of private networks may be called
 * @throws Error that says in a sentence for people why it was not taken: another status than 2xx, no answer in 10 s, no
 *   connection, a private address
 */
export async function postWebhook(message: WebhookMessage, mayCallPrivate: boolean): Promise<void> {
  const url = new URL(message.url);
  if (!mayCallPrivate) checkHost(url.hostname);
  const seconds = Math.floor(message.nowMs / 1000);
  const body = Buffer.from(message.body);
  const options = {
    method: 'POST',
    // A kept connection would go to an address that was checked for an earlier message.
    agent: false,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(mayCallPrivate ? {} : { lookup: lookupPublic }),
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      'user-agent': 'Ridewatch',
      'ridewatch-delivery': message.deliveryId,
      'ridewatch-time': String(seconds),
      'ridewatch-signature': signatureOf(message.secret, seconds, message.body),
    },
  };
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const status = await new Promise<number>((resolve, reject) => {
    const request = send(url, options, (response) => {
      // The status says it all; a long body is not read.
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    request.once('error', (error) =>
      reject(error.name === 'AbortError' ? new Error('no answer within 10 s') : error),
    );
    // Node tells of an answer that leaves HTTP by this event alone.
    request.once('upgrade', (response, socket) => {
      resolve(response.statusCode ?? 0);
      socket.destroy();
    });
    request.once('close', () => reject(new Error('the connection was closed')));
    request.end(body);
  });
  if (status < 200 || status > 299) throw new Error(`the answer was ${status}`);
}
