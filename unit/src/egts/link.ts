// A connection of a unit, or of a platform that passes on many of them, to a server of EGTS.
import { connect } from 'node:net';
import { createAnswerReader, type EgtsAnswer } from './answer.ts';

export interface EgtsLink {
  /** Sends bytes. */
  send(bytes: Buffer): void;
  /** The next answer of the server. @throws Error when the connection closes before */
  next(): Promise<EgtsAnswer>;
  /** The same, within so many ms; undefined when there is none. @throws Error when the connection closes before */
  nextWithin(ms: number): Promise<EgtsAnswer | undefined>;
  /** Resolves when the connection is closed, by either side. */
  readonly closed: Promise<void>;
  close(): void;
}

/** Connects to a server. @throws Error when there is none */
export function openEgtsLink(port: number, host: string): Promise<EgtsLink> {
  const socket = connect({ port, host, noDelay: true });
  const read = createAnswerReader();
  const answers: EgtsAnswer[] = [];
  const waiting: PromiseWithResolvers<EgtsAnswer | undefined>[] = [];
  let isClosed = false;
  socket.on('data', (bytes: Buffer) => {
    for (const answer of read(bytes)) {
      const next = waiting.shift();
      if (next === undefined) answers.push(answer);
      else next.resolve(answer);
    }
  });
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isClosed = true;
      for (const next of waiting.splice(0)) next.reject(new Error('the connection is closed'));
      resolve();
    });
  });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('connect', () => {
      // From now on `closed` tells.
      socket.off('error', reject).on('error', () => socket.destroy());
      const wait = (): PromiseWithResolvers<EgtsAnswer | undefined> => {
        const next = Promise.withResolvers<EgtsAnswer | undefined>();
        const answer = answers.shift();
        if (answer !== undefined) next.resolve(answer);
        else if (isClosed) next.reject(new Error('the connection is closed'));
        else waiting.push(next);
        return next;
      };
      resolve({
        closed,
        send: (bytes) => void socket.write(bytes),
        close: () => socket.destroy(),
        next: async () => {
          const answer = await wait().promise;
          if (answer === undefined) throw new Error('no answer');
          return answer;
        },
        nextWithin: async (ms) => {
          const next = wait();
          const timer = setTimeout(() => {
            waiting.splice(waiting.indexOf(next), 1);
            next.resolve(undefined);
          }, ms);
          try {
            return await next.promise;
          } finally {
            clearTimeout(timer);
          }
        },
      });
    });
  });
}
