// Sends packets until each is answered, as a terminal or a platform does: a packet without an answer is sent again, a lost
// connection is opened again, and its terminal signs in again.
import type { Timers } from '../uplink/timers.ts';
import type { EgtsAnswer } from './answer.ts';
import { type EgtsLink, openEgtsLink } from './link.ts';

/** The answer to a packet with records. */
export type Confirmation = Extract<EgtsAnswer, { kind: 'confirmation' }>;

export interface Delivery {
  readonly host: string;
  readonly port: number;
  readonly timers: Timers;
  readonly signal: AbortSignal;
  /** How often a packet is sent, and again after `isSentAgain`; Infinity: until it is answered. */
  readonly attempts: number;
  /** How long an answer is waited for, and a new connection is put off, ms; the standard's 5 s and 30 s unless given. */
  readonly answerMs?: number;
  readonly reconnectMs?: number;
  readonly onConfirmed: (confirmation: Confirmation, packet: Buffer) => void;
  /** Hears why there was no answer, and how long the next attempt is put off, ms. */
  readonly onFailure?: (error: unknown, waitMs: number) => void;
  /** Whether a confirmed packet is sent again; absent: none is. */
  readonly isSentAgain?: (confirmation: Confirmation) => Promise<boolean>;
  /**
   * Whether a terminal signs in by a packet. A server knows it only as long as the connection lasts, so the last such packet
   * that it has read goes before others in a new one; its second confirmation is not told.
   */
  readonly isSignIn: (packet: Buffer) => boolean;
}

/**
 * Delivers packets in their order, one at a time.
 * @param packets with records, each with an id of its own
 * @throws Error when a packet is not answered
 */
export async function deliver(packets: readonly Buffer[], delivery: Delivery): Promise<void> {
  const { host, port, timers, signal, attempts } = delivery;
  const { answerMs = 5_000, reconnectMs = 30_000, onConfirmed, onFailure, isSentAgain } = delivery;
  let link: EgtsLink | undefined;
  let signIn: Buffer | undefined;

  async function signInAgain(to: EgtsLink): Promise<void> {
    if (signIn === undefined) return;
    to.send(signIn);
    const confirmation = await confirmationOf(to, idOf(signIn), answerMs);
    if (confirmation === undefined) throw new Error(`no answer to packet ${idOf(signIn)}`);
  }

  try {
    for (const packet of packets) {
      const id = idOf(packet);
      const isSignIn = delivery.isSignIn(packet);
      let confirmation: Confirmation | undefined;
      for (let tries = 0; confirmation === undefined && !signal.aborted; ) {
        if (tries >= attempts) throw new Error(`The server does not answer packet ${id}.`);
        tries += 1;
        try {
          if (link === undefined) {
            link = await openEgtsLink(port, host);
            if (!isSignIn) await signInAgain(link);
          }
          link.send(packet);
          confirmation = await confirmationOf(link, id, answerMs);
          if (confirmation === undefined && tries < attempts) {
            onFailure?.(new Error(`no answer to packet ${id}`), 0);
          }
          if (confirmation && (await isSentAgain?.(confirmation))) {
            confirmation = undefined;
            tries = 0;
          }
        } catch (error) {
          if (tries >= attempts) throw error;
          link?.close();
          link = undefined;
          onFailure?.(error, reconnectMs);
          await timers.sleep(reconnectMs, signal);
        }
      }
      if (confirmation === undefined) continue;
      if (isSignIn && confirmation.result === 0) signIn = packet;
      onConfirmed(confirmation, packet);
    }
  } finally {
    link?.close();
  }
}

const idOf = (packet: Buffer): number => packet.readUInt16LE(7);

async function confirmationOf(
  link: EgtsLink,
  id: number,
  answerMs: number,
): Promise<Confirmation | undefined> {
  for (;;) {
    const answer = await link.nextWithin(answerMs);
    if (answer === undefined) return undefined;
    // Others are results of sign-ins, and confirmations of packets that were sent twice.
    if (answer.kind === 'confirmation' && answer.packet === id) return answer;
  }
}
