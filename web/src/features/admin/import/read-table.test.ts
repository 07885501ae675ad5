// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readTable } from './read-table.ts';

const table = { sheet: null, heading: 1, names: ['Номер'], rows: [['1']] };

/** The workers of a page: each reads what it is told to, and says whether it was ended. */
let workers: FakeWorker[];
class FakeWorker {
  onmessage: (event: { data: unknown }) => void = () => undefined;
  onerror: () => void = () => undefined;
  readonly posted: unknown[] = [];
  isEnded = false;
  constructor() {
    workers.push(this);
  }
  postMessage(message: unknown): void {
    this.posted.push(message);
  }
  terminate(): void {
    this.isEnded = true;
  }
}

beforeEach(() => {
  workers = [];
  vi.useFakeTimers();
  vi.stubGlobal('Worker', FakeWorker);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Begins to read a file. @returns its reading, and the worker once that has the file */
async function begin(text = 'Номер\n1\n') {
  const reading = readTable(new File([text], 'buses.csv'));
  await vi.waitFor(() => expect(workers[0]?.posted).toHaveLength(1));
  const [worker] = workers;
  if (worker === undefined) throw new Error('no worker');
  return { reading, worker };
}

describe('reading a table', () => {
  it('ends after twenty seconds, and not before: the file is too large', async () => {
    const { reading, worker } = await begin();
    const ended = vi.fn();
    void reading.then(ended);
    await vi.advanceTimersByTimeAsync(19_900);
    expect([ended.mock.calls.length, worker.isEnded]).toEqual([0, false]);
    await vi.advanceTimersByTimeAsync(100);
    expect(await reading).toEqual({ problem: 'large' });
    expect(worker.isEnded).toBe(true);
  });

  it('that ends in time leaves neither a worker nor a timer', async () => {
    const { reading, worker } = await begin();
    worker.onmessage({ data: { table } });
    expect(await reading).toEqual({ table });
    expect([worker.isEnded, vi.getTimerCount()]).toEqual([true, 0]);
  });

  it('that ends its worker, as a hostile file does, says that it is no table', async () => {
    const { reading, worker } = await begin();
    worker.onerror();
    expect(await reading).toEqual({ problem: 'other' });
    expect([worker.isEnded, vi.getTimerCount()]).toEqual([true, 0]);
  });

  it('does not begin for a file of more than 20 MiB', async () => {
    const file = new File([new Uint8Array(20 * 1024 * 1024 + 1)], 'buses.csv');
    expect(await readTable(file)).toEqual({ problem: 'large' });
    expect(workers).toEqual([]);
    const { reading, worker } = await begin('x'.repeat(20 * 1024 * 1024));
    worker.onmessage({ data: { table } });
    expect(await reading).toEqual({ table });
  });
});
