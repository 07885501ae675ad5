// A terminal of EGTS: it signs in by the IMEI of its modem, then sends packets one at a time, each until it is confirmed.
// A server that does not answer the sign-in gets nothing else.
import type { EgtsAnswer } from './answer.ts';
import { type EgtsLink, openEgtsLink } from './link.ts';
import { type EgtsRecord, egtsData } from './packet.ts';
import { identitySubrecord } from './subrecords.ts';

/** How long a terminal waits for an answer, ms. */
const ANSWER_MS = 5000;
const AUTH = 1;
/** Numbers of packets and records have two bytes. */
const NUMBERS = 0x10000;

export interface EgtsTerminal {
  /**
   * Sends records in one packet, in a new connection if there is none.
   * @param records as many as a packet holds, without numbers and objects
   * @returns the result of each; undefined for one that the server does not name
   * @throws Error when there is no server, it does not answer, or it refuses the sign-in; the connection is then closed
   */
  send(
    records: readonly Omit<EgtsRecord, 'number' | 'object'>[],
    signal: AbortSignal,
  ): Promise<(number | undefined)[]>;
  close(): void;
}

/**
 * Creates a terminal, which connects when it sends; its calls must not overlap.
 * @param imei 15 digits
 * @param answerMs how long it waits for an answer; tests wait for less
 */
export function createEgtsTerminal(
  { host, port }: { readonly host: string; readonly port: number },
  imei: string,
  answerMs = ANSWER_MS,
): EgtsTerminal {
  let link: EgtsLink | undefined;
  let packets = 0;
  let numbers = 0;

  const close = (): void => {
    link?.close();
    link = undefined;
  };

  async function connected(signal: AbortSignal): Promise<EgtsLink> {
    if (link !== undefined) return link;
    const opened = await openEgtsLink(port, host);
    link = opened;
    signal.throwIfAborted();
    void opened.closed.then(() => {
      if (link === opened) link = undefined;
    });
    await deliver(opened, [
      {
        number: nextNumber(),
        service: AUTH,
        subrecords: [identitySubrecord({ number: 0, imei, isSimple: true })],
      },
    ]);
    let answer = await nextAnswer(opened);
    while (answer.kind !== 'sign_in') answer = await nextAnswer(opened);
    if (answer.result === 0) return opened;
    throw new Error(`The server of EGTS refuses the terminal ${imei} with ${answer.result}.`);
  }

  /** Sends records in a packet. @returns their results by number */
  async function deliver(
    to: EgtsLink,
    records: readonly EgtsRecord[],
  ): Promise<ReadonlyMap<number, number>> {
    packets = (packets + 1) % NUMBERS;
    const id = packets;
    to.send(egtsData(id, records));
    for (;;) {
      const answer = await nextAnswer(to);
      if (answer.kind === 'confirmation' && answer.packet === id) return answer.records;
    }
  }

  async function nextAnswer(from: EgtsLink): Promise<EgtsAnswer> {
    const answer = await from.nextWithin(answerMs);
    if (answer === undefined) throw new Error('The server of EGTS does not answer.');
    return answer;
  }

  function nextNumber(): number {
    numbers = (numbers + 1) % NUMBERS;
    return numbers;
  }

  return {
    send: async (records, signal) => {
      signal.throwIfAborted();
      signal.addEventListener('abort', close);
      try {
        const to = await connected(signal);
        const numbered = records.map((record) => ({ ...record, number: nextNumber() }));
        const results = await deliver(to, numbered);
        return numbered.map(({ number }) => results.get(number));
      } catch (error) {
        close();
        throw error;
      } finally {
        signal.removeEventListener('abort', close);
      }
    },
    close,
  };
}
