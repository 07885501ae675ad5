import { randomUUID } from 'node:crypto';

/** Numbers of the records of one stream. */
export interface Counter {
  readonly stream: string;
  next(): number;
}

/** A counter that starts anew, and so has a stream of its own: no number of it was ever used. */
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
