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
  /** Whether a confirmed packet is sent again, after its terminal has signed in once more; absent: none is. */
  readonly isSentAgain?: (confirmation: Confirmation) => Promise<boolean>;
  /**
   * Whether a terminal signs in by a packet. A server knows it only as long as the connection lasts, so the last such packet
   * that it has read goes before others in a new one; its second confirmation is not told.
   */
  readonly isSignIn: (packet: Buffer) => boolean;
  /**
   * Hears the result of a sign-in, which follows the confirmation of its packet; of the last packet it is waited for as long as
   * for an answer.
   */
  readonly onSignIn?: (result: number, packet: Buffer) => void;
}

/**
 * Delivers packets in their order, one at a time.
 * @param packets with records, each with an id of its own
 * @throws Error when a packet is not answered
 */
export async function deliver(packets: readonly Buffer[], delivery: Delivery): Promise<void> {
  const { host, port, timers, signal, attempts } = delivery;
  const { answerMs = 5_000, reconnectMs = 30_000, onConfirmed, onFailure, isSentAgain } = delivery;
  const { onSignIn } = delivery;
  let link: EgtsLink | undefined;
  let signIn: Buffer | undefined;
  /** The last packet that was confirmed in the connection, and whether all of it is taken. */
  let last: { readonly packet: Buffer; readonly isTaken: boolean } | undefined;

  async function signInAgain(to: EgtsLink): Promise<void> {
    if (signIn === undefined) return;
    to.send(signIn);
    const confirmation = await confirmationOf(to, signIn);
    if (confirmation === undefined) throw new Error(`no answer to packet ${idOf(signIn)}`);
  }

  async function confirmationOf(to: EgtsLink, packet: Buffer): Promise<Confirmation | undefined> {
    for (;;) {
      const answer = await to.nextWithin(answerMs);
      if (answer === undefined) return undefined;
      if (answer.kind === 'sign_in') onSignIn?.(answer.result, last?.packet ?? packet);
      // Others are confirmations of packets that were sent twice.
      else if (answer.packet === idOf(packet)) {
        const isTaken = [answer.result, ...answer.records.values()].every((one) => one === 0);
        last = { packet, isTaken };
        return answer;
      }
    }
  }

  async function hearLastSignIn(): Promise<void> {
    if (last === undefined || !last.isTaken || signal.aborted) return;
    if (onSignIn === undefined || !delivery.isSignIn(last.packet)) return;
    // A server that closes the connection, or is silent, has no such result.
    const answer = await link?.nextWithin(answerMs).catch(() => undefined);
    if (answer?.kind === 'sign_in') onSignIn(answer.result, last.packet);
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
            last = undefined;
            if (!isSignIn) await signInAgain(link);
          }
          link.send(packet);
          confirmation = await confirmationOf(link, packet);
          if (confirmation === undefined && tries < attempts) {
            onFailure?.(new Error(`no answer to packet ${id}`), 0);
          }
          if (confirmation && (await isSentAgain?.(confirmation))) {
            confirmation = undefined;
            tries = 0;
            // Its terminal may be known by now, too.
            if (!isSignIn) await signInAgain(link);
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
    await hearLastSignIn();
  } finally {
    link?.close();
  }
}

const idOf = (packet: Buffer): number => packet.readUInt16LE(7);
