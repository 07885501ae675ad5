import { randomUUID } from 'node:crypto';

/** Numbers the records of one stream. */
export interface Counter {
  readonly stream: string;
  next(): number;
}

/** Creates a counter that starts again, with a new stream, so that no number repeats. */
export function createCounter(): Counter {
  let seq = 0;
  return {
    stream: randomUUID(),
    next: () => {
      seq += 1;
      return seq;
    },
  };
}
