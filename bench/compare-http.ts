import { isDeepStrictEqual } from 'node:util';
import type { Product } from '../harness/product.ts';
import type { Limit } from './limits.ts';
import { fetchAnswer, requestsPerSecond } from './load.ts';
import { interleave, median, type Result } from './measure.ts';

interface Question {
  readonly row: Pick<Result, 'id' | 'what' | 'target' | 'counters'>;
  readonly product: Product;
  /** Path and query of the product. */
  readonly address: string;
  readonly limit: Limit;
  /** Path and query of the limit if they differ from the product's. */
  readonly limitAddress?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  /** Requests of one round. */
  readonly requests: number;
}

/**
 * Measures the product and a limit in turn: rates, and the CPU time of a request in each process, which varies less on
 * a busy machine. The database's time is only part of the rate.
 */
export async function compareHttp(question: Question): Promise<Result> {
  const { row, product, address, limit, headers, connections, requests } = question;
  const limitUrl = limit.url + (question.limitAddress ?? address);
  await expectSameBody(product.url + address, limitUrl, headers);
  const cpuOfProduct = meter(() => cpuOf(product));
  const cpuOfLimit = meter(() => limit.cpuMicroseconds?.() ?? Promise.resolve(Number.NaN));
  const load = { headers, connections, requests };
  const result = await interleave(
    { ...row, unit: 'req/s' },
    () => cpuOfProduct.during(() => requestsPerSecond({ url: product.url + address, ...load })),
    () => cpuOfLimit.during(() => requestsPerSecond({ url: limitUrl, ...load })),
  );
  const each = (microseconds: number): number => Math.round((microseconds / requests) * 10) / 10;
  return {
    ...result,
    counters: {
      ...row.counters,
      'µs CPU': each(cpuOfProduct.median()),
      ...(limit.cpuMicroseconds && { 'µs CPU of the limit': each(cpuOfLimit.median()) }),
    },
  };
}

interface Meter {
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Median use of one step of work. */
  median(): number;
}

function meter(used: () => Promise<number>): Meter {
  const steps: number[] = [];
  return {
    during: async (work) => {
      const before = await used();
      const result = await work();
      steps.push((await used()) - before);
      return result;
    },
    // The first step is the warm-up.
    median: () => median(steps.slice(1)),
  };
}

async function expectSameBody(
  url: string,
  limitUrl: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const answer = await fetchAnswer(url, headers);
  const limit = await fetchAnswer(limitUrl, headers);
  if (answer.status === limit.status && isDeepStrictEqual(answer.body, limit.body)) return;
  throw new Error(`${url} and its limit send different bytes`);
}

/** CPU time of a product's process, without its database, µs. */
async function cpuOf({ url }: Product): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const seconds = /^process_cpu_seconds_total (\S+)/m.exec(text)?.[1];
  if (seconds === undefined) throw new Error('/metrics has no process_cpu_seconds_total');
  return Number(seconds) * 1e6;
}
