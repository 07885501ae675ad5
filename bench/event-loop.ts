/** The interval of the samples, which the metric includes, ms (server/src/core/metrics.ts). */
const LAG_EVERY_MS = 50;

/** How late the event loop of a server was. */
export interface Delay {
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** The delay of a server's event loop since the last reading, by its own metric. */
export async function readDelay(url: string): Promise<Delay> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const read = (name: string): number => {
    const found = new RegExp(`^nodejs_eventloop_lag_${name}_seconds (.*)$`, 'm').exec(metrics)?.[1];
    if (found === undefined) throw new Error(`The server's metrics have no ${name}.`);
    return Number(found) * 1000 - LAG_EVERY_MS;
  };
  return { p99Ms: read('p99'), maxMs: read('max') };
}
