// A faulty server: it acknowledges a batch when it has read it, and stores it when the next one arrives.
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { Batch, UnitRecord } from '@ridewatch/contract/unit';

export interface HastyServer {
  readonly url: string;
  /** Whether it holds an acknowledged batch that it would lose if killed now. */
  holds(): boolean;
  /** Kills it: it loses what it has in memory. */
  kill(): void;
  restart(): void;
  /** Stores the held batch. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

interface Held {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Starts it in front of a sound server, for one unit. */
export async function startHastyServer(soundUrl: string): Promise<HastyServer> {
  let held: Held | undefined;
  let runs = true;
  let isStoring = false;

  const store = async ({ headers, body }: Held): Promise<void> => {
    const { authorization = '' } = headers;
    const own = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const answer = await fetch(`${soundUrl}/unit/v1/batches`, {
      method: 'POST',
      headers: { authorization, ...own },
      body: new Uint8Array(body),
    });
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  };
  const take = async (request: IncomingMessage): Promise<string> => {
    const body = await buffer(request);
    isStoring = true;
    try {
      if (held !== undefined) await store(held);
    } finally {
      isStoring = false;
    }
    if (!runs) throw new Error('killed');
    held = { headers: request.headers, body };
    const { records } = JSON.parse(gunzipSync(body).toString()) as Batch;
    const acknowledged = (records as UnitRecord[]).map(({ seq }) => [seq, seq]);
    return JSON.stringify({ server_time: new Date().toISOString(), acknowledged, refused: [] });
  };
  const settle = async (): Promise<void> => {
    if (held !== undefined) await store(held);
    held = undefined;
  };
  const server = createServer((request, response) => {
    take(request).then(
      (answer) => response.writeHead(200, { 'content-type': 'application/json' }).end(answer),
      () => request.socket.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    holds: () => held !== undefined && !isStoring,
    kill: () => {
      runs = false;
      held = undefined;
      server.closeAllConnections();
    },
    restart: () => {
      runs = true;
    },
    settle,
    close: async () => {
      await settle();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
