// A cheap load: fixed request bytes over keep-alive connections, answers delimited by their length. If it were the
// bottleneck, every ratio would be near 1.
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Answer } from './limits.ts';

interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly requests: number;
}

/**
 * Sends many requests to one address.
 * @returns requests a second
 * @throws Error if an answer is not a success, or differs in length from the first
 */
export async function requestsPerSecond({
  url,
  headers,
  connections,
  requests,
}: Load): Promise<number> {
  const target = new URL(url);
  const lines = Object.entries({ host: target.host, ...headers }).map(([k, v]) => `${k}: ${v}`);
  const text = `GET ${target.pathname}${target.search} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  const bytes = Buffer.from(text);
  let left = requests;
  const letSleep = keepAwake();
  try {
    const startMs = performance.now();
    await Promise.all(
      Array.from({ length: connections }, () => drive(target, bytes, () => left-- > 0)),
    );
    return requests / ((performance.now() - startMs) / 1000);
  } finally {
    letSleep();
  }
}

/** Headers that every server adds in its own way. */
const OF_THE_CONNECTION = ['date', 'connection', 'keep-alive', 'transfer-encoding'];

/**
 * Sends one request.
 * @returns the answer as received, compressed or not
 * @throws Error if it is not a success
 */
export async function fetchAnswer(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode: status = 0 } = response;
        const pairs = Object.entries(response.headers).filter(
          ([name]) => !OF_THE_CONNECTION.includes(name),
        );
        if (status >= 400) reject(new Error(`${url}: ${status}`));
        else {
          const sent = Object.fromEntries(pairs.map(([name, value]) => [name, String(value)]));
          resolve({ status, headers: sent, body: Buffer.concat(chunks) });
        }
      });
    })
      .on('error', reject)
      .end();
  });
}

// Keeps this process busy. A sleeping process must be woken by the writer, which on a virtual machine costs as much as
// an answer. Only a slow server lets this process sleep, so it would pay twice.
function keepAwake(): () => void {
  let isAwake = true;
  const turn = (): void => {
    if (isAwake) setImmediate(turn);
  };
  turn();
  return () => {
    isAwake = false;
  };
}

function drive(target: URL, request: Buffer, more: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(Number(target.port), target.hostname);
    socket.setNoDelay(true);
    let head = Buffer.alloc(0);
    let missing: number | undefined;
    const next = (): void => {
      head = Buffer.alloc(0);
      missing = undefined;
      if (more()) socket.write(request);
      else socket.end(resolve);
    };
    socket.on('connect', next);
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      let body = chunk;
      if (missing === undefined) {
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        const lines = head.toString('latin1', 0, end);
        if (!/^HTTP\/1\.1 (2|304)/.test(lines)) {
          socket.destroy();
          reject(new Error(`${target.pathname}: ${lines.split('\r\n')[0]}`));
          return;
        }
        missing = Number(/content-length: (\d+)/i.exec(lines)?.[1] ?? 0);
        body = head.subarray(end + 4);
      }
      missing -= body.length;
      if (missing <= 0) next();
    });
  });
}
