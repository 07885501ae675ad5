// Messages of the server that a terminal answers, by the serial of the message.
import { MESSAGE, RESULT } from './codes.ts';
import type { Message } from './messages.ts';

/** Requests of a connection that wait for answers: more than the lanes of a process have, of all its terminals. */
const MOST_WAITING = 1000;
/** Serial, id and result of a general answer. */
const ANSWER_BYTES = 5;

/** A message to a terminal. */
export interface TerminalRequest {
  readonly id: number;
  /** At most 1,023 bytes; a body that names this server is made for the address that the terminal has connected to. */
  readonly body: Buffer | ((serverAddress: string) => Buffer);
  /** The message that answers it, which begins with its serial; undefined: the general answer. */
  readonly answerId?: number;
  /** How long its answer is waited for, ms. */
  readonly waitMs: number;
  /** Is told the serial before the message is sent: what follows it later names that. */
  readonly onSerial?: (serial: number) => void;
}

/** A terminal's answer: the result of a general answer, the message that answers, or none in time. */
export type TerminalAnswer =
  | { readonly kind: 'result'; readonly result: number }
  | { readonly kind: 'message'; readonly body: Buffer }
  | { readonly kind: 'silence' };

interface Waiting extends TerminalRequest {
  readonly terminal: string;
  readonly end: (answer: TerminalAnswer | undefined) => void;
}

export interface Requests {
  /**
   * Sends a message, unless too many wait or one waits with its serial, and waits for the terminal's answer.
   * @returns undefined when it is not sent, or the connection ends
   * @throws whatever `send` throws
   */
  ask(
    serial: number,
    terminal: string,
    request: TerminalRequest,
    send: () => void,
  ): Promise<TerminalAnswer | undefined>;
  /** Whether a request waits for such a message. */
  awaits(message: Pick<Message, 'id' | 'terminal'>): boolean;
  /** Takes a message of a terminal. @returns whether it answers a request */
  take(message: Message): boolean;
  /** Ends all that wait. */
  close(): void;
}

/** Makes the requests of one connection. */
export function createRequests(): Requests {
  const waiting = new Map<number, Waiting>();
  return {
    ask: async (serial, terminal, request, send) => {
      if (waiting.size >= MOST_WAITING || waiting.has(serial)) return undefined;
      send();
      const { promise, resolve } = Promise.withResolvers<TerminalAnswer | undefined>();
      const end: Waiting['end'] = (answer) => {
        clearTimeout(timer);
        waiting.delete(serial);
        resolve(answer);
      };
      const timer = setTimeout(() => end({ kind: 'silence' }), request.waitMs);
      waiting.set(serial, { ...request, terminal, end });
      return promise;
    },
    awaits: ({ id, terminal }) =>
      [...waiting.values()].some(
        (request) => request.terminal === terminal && request.answerId === id,
      ),
    take: ({ id, terminal, body }) => {
      if (body.length < 2) return false;
      const request = waiting.get(body.readUInt16BE(0));
      if (request === undefined || request.terminal !== terminal) return false;
      if (id === request.answerId) {
        request.end({ kind: 'message', body });
        return true;
      }
      if (id !== MESSAGE.answer || body.length < ANSWER_BYTES) return false;
      if (body.readUInt16BE(2) !== request.id) return false;
      const result = body[4] ?? RESULT.failed;
      // The message that was asked for comes after a general answer that all is well.
      if (request.answerId === undefined || result !== RESULT.ok) {
        request.end({ kind: 'result', result });
      }
      return true;
    },
    close: () => {
      for (const { end } of [...waiting.values()]) end(undefined);
    },
  };
}
