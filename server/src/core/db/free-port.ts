import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Ports that no system gives to outgoing connections: Linux begins at 32768 (ip_local_port_range), Windows and macOS at
 * 49152. A connection could take a port from there while its server starts, and a client that connects again and again
 * to a server that ended can even connect to itself there, and then holds the port.
 */
const FIRST_PORT = 20_000;
const END_PORT = 32_768;

/** Ports that are tried: with a thousand servers on the machine, all of them taken is out of the question. */
const MOST_TRIES = 100;

/**
 * A free port of this machine for a server. Another server may take it first.
 * @throws Error when there is none
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const port = randomInt(FIRST_PORT, END_PORT);
    if (await isFree(port)) return port;
  }
  throw new Error(`There is no free port: ${MOST_TRIES} of them are in use.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
