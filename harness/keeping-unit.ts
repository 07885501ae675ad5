// A device, or a platform with many objects, that keeps what the server has not confirmed and sends it again after
// reconnecting, over a link that breaks in the middle of a message and loses confirmations. It remembers what it told.
import { setTimeout as sleep } from 'node:timers/promises';
import { chanceOf } from '@ridewatch/unit/src/simulated/random.ts';
import type { Confirmation, Message, Sender, SenderLink } from './sender.ts';
import { type Told, type ToldObject, tellerOf } from './told.ts';

/** Share of messages in which the link breaks, of confirmations that are lost, and of breaks at which a device restarts. */
const CUTS = 0.03;
const LOST = 0.03;
const RESTARTS = 0.3;
/** A careless unit loses so many confirmations. */
const CARELESS_LOST = 0.3;
/** Most records of a message. */
const MOST_TOLD = 5;
/** How often a message is sent in a link before that is opened anew, as EGTS says. */
const ATTEMPTS = 3;
const IDS = 0xffff;

/** The fault of a careless unit at a break of its link. */
export type Carelessness = 'forgets what waits' | 'gives what waits another time';

export interface KeepingUnitOptions {
  readonly sender: Sender;
  readonly port: number;
  readonly seed: number;
  readonly objects: readonly ToldObject[];
  /** Whether its records name their object also where there is one only. */
  readonly isPlatform: boolean;
  readonly daysBack: number;
  /** How long a confirmation is waited for, a new link is put off, and between two messages, ms. */
  readonly answerMs: number;
  readonly reconnectMs: number;
  readonly betweenMs: number;
  /** Most messages that wait; the protocol's unless given. */
  readonly mostWaiting?: number;
  readonly carelessness?: Carelessness;
  /** Told of each message that is sent. */
  readonly onSent?: () => void;
  /**
   * Told what a wait for a confirmation came to, and when it began, ms as of `performance`; not of breaks of its own.
   */
  readonly onAnswer?: (isConfirmed: boolean, sinceMs: number) => void;
}

/** A record of its ledger. */
export interface Kept {
  /** The record as told last, and before that by a careless unit. */
  readonly told: Told[];
  isConfirmed: boolean;
}

export interface KeepingUnit {
  readonly sender: Sender;
  readonly objects: readonly ToldObject[];
  readonly ledger: readonly Kept[];
  /** Answers that are neither a confirmation nor none. */
  readonly refusals: readonly string[];
  /** How often its link broke in the middle of a message, a confirmation was lost, none came, the device restarted. */
  readonly count: { cuts: number; lost: number; silences: number; restarts: number };
  /** Makes records and sends them until stopped, then until all are confirmed. */
  run(isStopped: () => boolean): Promise<void>;
}

interface Waiting extends Message {
  readonly kept: readonly Kept[];
  /** How often it was sent in this link. */
  attempts: number;
}

/** A break that the link makes, not the server. */
class OwnBreak extends Error {}

/** Makes a unit; it sends nothing until `run`. */
export function createKeepingUnit(options: KeepingUnitOptions): KeepingUnit {
  const { sender, seed, objects, isPlatform, carelessness, daysBack } = options;
  const { protocol } = sender;
  const ids = objects.map(({ object }) => object);
  const wire = chanceOf(seed, protocol, ids.join(), 'wire');
  const tellers = objects.map((one) => {
    const records = chanceOf(seed, protocol, one.object, 'records');
    return tellerOf(records, one, daysBack, sender.doors);
  });
  const ledger: Kept[] = [];
  const refusals: string[] = [];
  const count = { cuts: 0, lost: 0, silences: 0, restarts: 0 };
  let waiting: Waiting[] = [];
  let nextId = 0;
  let link: SenderLink | undefined;

  const messageOf = (kept: readonly Kept[]): Waiting => {
    const id = nextId;
    nextId = (nextId + 1) % IDS;
    const told = kept.flatMap((one) => one.told.at(-1) ?? []);
    return { id, told, kept, attempts: 0 };
  };
  // The first message has a record of each object.
  const makeMessage = (): Waiting => {
    const size = 1 + Math.floor(wire.between(0, MOST_TOLD));
    const some = Array.from(
      { length: size },
      () => tellers[Math.floor(wire.between(0, tellers.length))],
    );
    const kept = (ledger.length === 0 ? tellers : some).map((tell): Kept => {
      return { told: tell === undefined ? [] : [tell()], isConfirmed: false };
    });
    ledger.push(...kept);
    return messageOf(kept);
  };
  // Whether the first reading of each counter is confirmed. A reading that arrives after a later one adds nobody.
  const hasBegun = (): boolean =>
    objects.every(({ counts }) => counts === 'delta') ||
    (ledger.length > 0 && ledger.slice(0, objects.length).every((one) => one.isConfirmed));
  // Packets and records are numbered anew, and other records are together in a packet.
  const restart = (): void => {
    count.restarts += 1;
    nextId = Math.floor(wire.between(0, IDS));
    const kept = waiting.flatMap((message) => message.kept);
    const size = 1 + Math.floor(wire.between(0, MOST_TOLD));
    waiting = [];
    for (let from = 0; from < kept.length; from += size) {
      waiting.push(messageOf(kept.slice(from, from + size)));
    }
  };
  const breakLink = (): void => {
    link?.close();
    link = undefined;
    if (carelessness === 'forgets what waits') waiting = [];
    if (carelessness === 'gives what waits another time') {
      for (const { told } of waiting.flatMap(({ kept }) => kept)) {
        const [first] = told;
        // A second that no other record of the ledger has.
        if (first !== undefined)
          told.push({ ...first, timeMs: first.timeMs - 86_400_000 * told.length });
      }
      restart();
    } else if (wire.happens(RESTARTS)) restart();
    for (const message of waiting) message.attempts = 0;
  };
  const send = (open: SenderLink, message: Waiting): void => {
    options.onSent?.();
    if (wire.happens(CUTS)) {
      count.cuts += 1;
      open.cut(message, wire.between(0, 1));
      throw new OwnBreak('the link broke');
    }
    message.attempts += 1;
    open.send(message);
  };
  const settle = ({ id, refusal }: Confirmation): void => {
    const message = waiting.find((one) => one.id === id && one.attempts > 0);
    // One that was sent twice has two answers.
    if (message === undefined) return;
    if (wire.happens(carelessness === undefined ? LOST : CARELESS_LOST)) {
      count.lost += 1;
      throw new OwnBreak('the confirmation is lost');
    }
    waiting = waiting.filter((one) => one !== message);
    if (refusal === undefined) for (const one of message.kept) one.isConfirmed = true;
    else refusals.push(refusal);
  };
  const sendAgain = (open: SenderLink): void => {
    count.silences += 1;
    for (const message of waiting) {
      if (message.attempts >= ATTEMPTS) throw new Error('no confirmation');
      send(open, message);
    }
  };
  const exchange = async (open: SenderLink): Promise<boolean> => {
    for (const message of waiting) if (message.attempts === 0) send(open, message);
    const confirmation = await open.confirm(options.answerMs);
    if (confirmation === undefined) sendAgain(open);
    else settle(confirmation);
    return confirmation !== undefined;
  };
  const turn = async (isStopped: boolean): Promise<void> => {
    const most = hasBegun() ? (options.mostWaiting ?? sender.mostWaiting) : 1;
    while (!isStopped && waiting.length < most) waiting.push(makeMessage());
    if (waiting.length === 0) return;
    let sinceMs = performance.now();
    try {
      link ??= await sender.open(options.port, ids, isPlatform);
      sinceMs = performance.now();
      const isConfirmed = await exchange(link);
      options.onAnswer?.(isConfirmed, sinceMs);
    } catch (error) {
      if (!(error instanceof OwnBreak)) options.onAnswer?.(false, sinceMs);
      breakLink();
      await sleep(options.reconnectMs);
    }
  };
  return {
    ...{ sender, objects, ledger, refusals, count },
    run: async (isStopped) => {
      while (!isStopped() || waiting.length > 0) {
        await turn(isStopped());
        await sleep(options.betweenMs);
      }
      link?.close();
      link = undefined;
    },
  };
}
