import { setImmediate } from 'node:timers/promises';

/**
 * Makes rounds of the process, one for each call: those who all go on in one round would hold up everybody else together.
 * @returns waits for the next round that nobody else has
 */
export function createOneByOne(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => setImmediate());
    return last;
  };
}
