// A connection to a server of a protocol over TCP, which answers what it gets.
import { connect } from 'node:net';

export interface AnsweringLink<Answer> {
  /** Sends bytes. */
  send(bytes: Buffer): void;
  /** The next answer of the server. @throws Error when the connection closes before */
  next(): Promise<Answer>;
  /** The same, within so many ms; undefined when there is none. @throws Error when the connection closes before */
  nextWithin(ms: number): Promise<Answer | undefined>;
  /** Resolves when the connection is closed, by either side. */
  readonly closed: Promise<void>;
  close(): void;
}

/**
 * Connects to a server.
 * @param read takes bytes, and gives the answers that are whole by now; when it throws, the connection is closed
 * @throws Error when there is no server
 */
export function openAnsweringLink<Answer>(
  port: number,
  host: string,
  read: (bytes: Buffer) => readonly Answer[],
): Promise<AnsweringLink<Answer>> {
  const socket = connect({ port, host, noDelay: true });
  const answers: Answer[] = [];
  const waiting: PromiseWithResolvers<Answer | undefined>[] = [];
  let isClosed = false;
  socket.on('data', (bytes: Buffer) => {
    try {
      for (const answer of read(bytes)) {
        const next = waiting.shift();
        if (next === undefined) answers.push(answer);
        else next.resolve(answer);
      }
    } catch {
      socket.destroy();
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
      const wait = (): PromiseWithResolvers<Answer | undefined> => {
        const next = Promise.withResolvers<Answer | undefined>();
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
            const at = waiting.indexOf(next);
            if (at >= 0) waiting.splice(at, 1);
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
