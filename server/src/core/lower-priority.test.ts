import { once } from 'node:events';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

const FILE = new URL('./lower-priority.ts', import.meta.url).href;

const program = (before: number): string => `
  const { getPriority, setPriority } = require('node:os');
  const { parentPort } = require('node:worker_threads');
  setPriority(${before});
  import('${FILE}').then(({ lowerPriority }) => {
    lowerPriority();
    parentPort.postMessage(getPriority());
  });`;

it.runIf(process.platform === 'linux').each([
  ['goes down to 10', getPriority(), Math.max(10, getPriority())],
  ['stays at 19', 19, 19],
])('the priority of a thread that goes last %s', async (_name, before, after) => {
  const worker = new Worker(program(before), { eval: true });
  const [priority] = await once(worker, 'message');
  expect(priority).toBe(after);
  await worker.terminate();
});
