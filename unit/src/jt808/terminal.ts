// A terminal in a connection: it numbers its messages, registers, signs in and waits for answers.
import type { Jt808Answer } from './answer.ts';
import { answerBody, JT808, registerBody, signInBody } from './bodies.ts';
import { type Jt808Command, type Jt808Link, openJt808Link } from './link.ts';
import { type Jt808Form, jt808Frames } from './message.ts';

const SERIALS = 0x10000;
const NOT_SUPPORTED = 3;

/** The name of a terminal and the form of its messages. */
export interface Jt808Identity {
  /** Digits. */
  readonly phone: string;
  readonly form: Jt808Form;
}

export interface Jt808Terminal {
  readonly link: Jt808Link;
  /** Sends a message, split if it is long. @returns its serial */
  send(id: number, body: Buffer): number;
  /**
   * Waits for the general answer to a message; messages of the server meanwhile are answered as not supported.
   * @returns the result; undefined when there is none in time
   * @throws Error when the connection closes
   */
  resultOf(serial: number, ms: number): Promise<number | undefined>;
  /** Sends a message and waits for the result. */
  ask(id: number, body: Buffer, ms?: number): Promise<number | undefined>;
  /** Registers. @returns the code; empty when the server does not know the terminal */
  register(ms?: number): Promise<string>;
  /** Signs in by a code, or registers first. @throws Error when the server refuses */
  signIn(code?: string, ms?: number): Promise<string>;
}

const ANSWER_MS = 10_000;

/**
 * Connects a terminal.
 * @param onMessage takes the server's messages, and answers them; without it they are answered as not supported
 * @throws Error when there is no server
 */
export async function openJt808Terminal(
  port: number,
  host: string,
  identity: Jt808Identity,
  onMessage?: (message: Jt808Command, terminal: Jt808Terminal) => void,
): Promise<Jt808Terminal> {
  const take = onMessage && ((message: Jt808Command) => onMessage(message, terminal));
  // The server's first message comes after the terminal's first one.
  const terminal = createJt808Terminal(await openJt808Link(port, host, take), identity);
  return terminal;
}

/** Makes a terminal of a connection, which others may use, too. */
export function createJt808Terminal(
  link: Jt808Link,
  { phone, form }: Jt808Identity,
): Jt808Terminal {
  let next = 0;
  const results = new Map<number, number>();
  const send = (id: number, body: Buffer): number => {
    const serial = next;
    const frames = jt808Frames({ form, phone, id, serial, body });
    // Answers to older messages with these serials.
    for (const n of frames.keys()) results.delete((serial + n) % SERIALS);
    next = (next + frames.length) % SERIALS;
    link.send(Buffer.concat(frames));
    return serial;
  };
  const hear = async (ms: number): Promise<Jt808Answer | undefined> => {
    const answer = await link.nextWithin(ms);
    if (answer?.kind === 'message') {
      send(JT808.answer, answerBody(answer.serial, answer.id, NOT_SUPPORTED));
    } else if (answer?.kind === 'answer') results.set(answer.serial, answer.result);
    return answer;
  };
  const resultOf = async (serial: number, ms: number): Promise<number | undefined> => {
    for (;;) {
      const result = results.get(serial);
      results.delete(serial);
      if (result !== undefined || (await hear(ms)) === undefined) return result;
    }
  };
  const ask = (id: number, body: Buffer, ms = ANSWER_MS) => resultOf(send(id, body), ms);
  const register = async (ms = ANSWER_MS): Promise<string> => {
    const serial = send(JT808.register, registerBody(form));
    for (;;) {
      const answer = await hear(ms);
      if (answer === undefined) throw new Error('The server does not answer the registration.');
      if (answer.kind === 'registered' && answer.serial === serial) return answer.code;
    }
  };
  return {
    ...{ link, send, resultOf, ask, register },
    signIn: async (known, ms = ANSWER_MS) => {
      const isRight = async (code: string): Promise<boolean> =>
        (await ask(JT808.signIn, signInBody(form, code), ms)) === 0;
      if (known !== undefined && (await isRight(known))) return known;
      const code = await register(ms);
      if (code === '') throw new Error(`The server does not know the terminal ${phone}.`);
      if (!(await isRight(code))) throw new Error(`The server refuses the terminal ${phone}.`);
      return code;
    },
  };
}
