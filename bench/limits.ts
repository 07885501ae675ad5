// Limits for comparison with the product: minimal servers of the same bytes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** A fixed answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** The work of a limit for each request. */
export type LimitPlan =
  /** Bare node:http with a fixed answer for each address. */
  | { readonly kind: 'answers'; readonly answers: Readonly<Record<string, Answer>> }
  /** Bare node:http that reads one row by the bare driver, then sends a fixed answer. */
  | {
      readonly kind: 'row';
      readonly database: string;
      readonly text: string;
      readonly values: readonly unknown[];
      readonly answer: Answer;
    }
  /** Bare node:http that sends the requested range of a file. */
  | {
      readonly kind: 'file';
      readonly file: string;
      readonly headers: Readonly<Record<string, string>>;
    };

export interface Limit {
  readonly url: string;
  /** CPU time of its process, µs; absent if unknown. */
  cpuMicroseconds?(): Promise<number>;
  close(): Promise<void>;
}

/** Starts a limit in its own process. */
export async function startLimit(plan: LimitPlan): Promise<Limit> {
  const child = fork(path.join(import.meta.dirname, 'limit-server.ts'), {
    serialization: 'advanced',
  });
  child.send(plan);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    url: `http://127.0.0.1:${port}`,
    cpuMicroseconds: async () => {
      child.send('cpu');
      const [answer] = (await once(child, 'message')) as [{ cpuMicroseconds: number }];
      return answer.cpuMicroseconds;
    },
    close: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
