// Watches the product during a run: the delay of /healthz, measured in a separate thread, because the main one is busy
// with requests, and the memory.
import { Worker } from 'node:worker_threads';

/** Interval of memory readings, ms. */
const MEMORY_EVERY_MS = 2000;

export interface Watched {
  /** Delays of /healthz, ms. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
  readonly asked: number;
  /** Resident memory of the server, MiB. */
  readonly firstMiB: number;
  readonly mostMiB: number;
  readonly lastMiB: number;
}

export interface Watch {
  stop(): Promise<Watched>;
}

/** Watches a product until it is stopped. */
export async function watchProduct(url: string): Promise<Watch> {
  const memory = [await memoryOf(url)];
  const worker = new Worker(new URL('./watch-health.ts', import.meta.url), { workerData: url });
  const timer = setInterval(() => {
    // The requests show a product that does not answer.
    memoryOf(url).then(
      (mib) => memory.push(mib),
      () => undefined,
    );
  }, MEMORY_EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      const delays = await new Promise<number[]>((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
        worker.postMessage('stop');
      });
      memory.push(await memoryOf(url));
      delays.sort((a, b) => a - b);
      const at = (share: number): number => delays[Math.floor(share * (delays.length - 1))] ?? 0;
      return {
        p50Ms: at(0.5),
        p99Ms: at(0.99),
        worstMs: at(1),
        asked: delays.length,
        firstMiB: memory[0] ?? 0,
        mostMiB: Math.max(...memory),
        lastMiB: memory.at(-1) ?? 0,
      };
    },
  };
}

async function memoryOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 2 ** 20;
}
