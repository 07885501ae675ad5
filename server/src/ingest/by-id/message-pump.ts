// Serves a connection in any protocol over TCP: reads messages, stores what they tell, and answers after the commit. While
// some are stored no more are read, so the sender's own buffer fills up.
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Deps } from '../../deps.ts';
import type { Session } from './tcp-listener.ts';
import type { WeightedTurns } from './weighted-turns.ts';

/** Longest wait for the other side to read its answers while a connection is closed, ms. */
const STOP_MS = 2000;
/** Longest wait until what was read is stored while a connection is closed, ms. What is stored later is sent again. */
const STOP_STORING_MS = 3000;
const NONE = Buffer.alloc(0);
const isAnySound = (): boolean => true;

/** How long a connection may be silent, ms. */
export interface SilenceLimits {
  /** Until its first sound message, or until that begins to arrive. */
  readonly firstMs: number;
  readonly idleMs: number;
}

/** A protocol's part of a connection. */
export interface Pumped<Message> extends Pick<Deps, 'log'> {
  /** The protocol in logs. */
  readonly name: string;
  readonly limits: SilenceLimits;
  /** Takes bytes as they arrive. */
  push(bytes: Buffer): void;
  /** The next messages, which are stored together; none until more bytes arrive. */
  readSome(): Message[];
  /** Whether a message shows that the other side speaks the protocol; each does by default. */
  readonly isSound?: (message: Message) => boolean;
  /** Bytes of a message whose rest is on its way; by default they are never asked for. */
  readonly partBytes?: () => number;
  /** Whether the other side hardly speaks the protocol: then the connection is closed. */
  isLost(): boolean;
  /** Stores messages. @returns the bytes to send */
  answer(messages: readonly Message[]): Promise<Buffer>;
  /** The turns in which the connections of a port answer; undefined: nothing that they hold is much. */
  readonly inTurn?: WeightedTurns;
  /** Bytes of a message, by which its turn weighs; by default it weighs nothing. */
  readonly bytesOf?: (message: Message) => number;
}

export interface Pump extends Session {
  /** Reads on without new bytes: the protocol has given up a message whose rest does not come. */
  run(): void;
}

/** Serves a connection. */
export function createPump<Message>(socket: Socket, pumped: Pumped<Message>): Pump {
  const { name, limits, log, push, readSome, isLost, answer, partBytes } = pumped;
  const { isSound = isAnySound, inTurn = (_, work) => work(), bytesOf = () => 0 } = pumped;
  let working = Promise.resolve();
  let isStopping = false;
  let isDraining = false;
  let late: NodeJS.Timeout | undefined;
  let first: NodeJS.Timeout | undefined = setTimeout(() => {
    if ((partBytes?.() ?? 0) > 0) first?.refresh();
    else socket.destroy();
  }, limits.firstMs);
  socket.setNoDelay(true);
  socket.setTimeout(limits.idleMs, () => socket.destroy());
  // A lost connection is no news: its sender connects again.
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    clearTimeout(first);
    clearTimeout(late);
  });
  socket.on('data', (bytes: Buffer) => {
    push(bytes);
    run();
  });
  // A sender that says that it sends no more may still wait for its answers.
  socket.allowHalfOpen = true;
  socket.on('end', () => void stop());

  function run(): void {
    socket.pause();
    working = work().then(
      () => void (isStopping || socket.resume()),
      (error: unknown) => {
        log.error({ err: error, listener: name }, 'a connection was given up');
        socket.destroy();
      },
    );
  }

  async function work(): Promise<void> {
    for (;;) {
      const messages = readSome();
      if (isLost()) socket.destroy();
      if (messages.length === 0 || socket.destroyed) return;
      if (first !== undefined && messages.some(isSound)) {
        clearTimeout(first);
        // Ten thousand idle connections would keep theirs.
        first = undefined;
      }
      const weight = messages.reduce((sum, message) => sum + bytesOf(message), 0);
      const bytes = await inTurn(weight, async () =>
        // Nobody hears the answer any more, and the messages come again.
        socket.destroyed ? NONE : answer(messages),
      );
      // Messages that store nothing would hold up those of other connections.
      await setImmediate();
      if (bytes.length === 0 || socket.destroyed || socket.write(bytes)) continue;
      isDraining = true;
      if (isStopping) limitStop();
      await drained(socket);
      isDraining = false;
    }
  }

  // One limit for all that is still to be read: a sender that reads slowly must not hold the shutdown, either.
  function limitStop(): void {
    late ??= setTimeout(() => socket.destroy(), STOP_MS);
  }

  async function stop(): Promise<void> {
    isStopping = true;
    socket.pause();
    if (isDraining) limitStop();
    // While the database is away, thousands may wait for their turns.
    const storing = setTimeout(() => {
      if (!isDraining) socket.destroy();
    }, STOP_STORING_MS);
    await Promise.race([working, closed(socket)]);
    clearTimeout(storing);
    if (socket.destroyed) return;
    // The last answers go out, unless the other side reads nothing.
    limitStop();
    socket.destroySoon();
  }

  return { run, stop };
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

async function drained(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
}
