// Relays an HLS muxer in the bus to the server: the muxer uploads its segments here without a credential, and the relay
// forwards them with the unit's. On a slow link it drops old segments, because late video is not live.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LIVE_NAME, LIVE_PLAYLIST, MAX_LIVE_SEGMENT_BYTES } from '@ridewatch/contract/unit';
import { type Connection, UplinkError } from './connection.ts';

/** Most waiting requests: some segments with their playlists. */
const MOST_WAITING = 12;
const TIMEOUT_MS = 10_000;

export interface LiveRelayOptions {
  readonly connection: Pick<Connection, 'request'>;
  /** Base address of the stream, from the command. */
  readonly path: string;
  readonly isLinked: () => boolean;
  /** Called when the server has stored a playlist. */
  readonly onPlaylist: () => void;
  /** Called when the server refuses the stream. */
  readonly onRefused: () => void;
}

export interface LiveRelay {
  /** Address to which the muxer uploads its files. */
  readonly url: string;
  close(): Promise<void>;
}

interface Waiting {
  readonly method: 'PUT' | 'DELETE';
  readonly name: string;
  readonly body: Buffer | undefined;
}

/** Opens a relay for one stream; it listens on localhost only. */
export async function openLiveRelay(options: LiveRelayOptions): Promise<LiveRelay> {
  const { connection, path, isLinked, onPlaylist, onRefused } = options;
  // Other programs of the machine do not know this path.
  const secret = randomUUID();
  const queue: Waiting[] = [];
  let sending: Promise<void> | undefined;

  const send = async ({ method, name, body }: Waiting): Promise<void> => {
    try {
      const answer = await connection.request(
        `${path}/${name}`,
        {
          method,
          ...(body === undefined
            ? {}
            : {
                body: new Uint8Array(body),
                headers: { 'content-type': 'application/octet-stream' },
              }),
        },
        TIMEOUT_MS,
      );
      await answer.body?.cancel();
      if (name === LIVE_PLAYLIST) onPlaylist();
    } catch (error) {
      if (!(error instanceof UplinkError)) throw error;
      // A lost segment is not sent again: the next one is newer.
      if (!error.isTransient) onRefused();
    }
  };
  const sendAll = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (isLinked()) await send(next);
    }
    sending = undefined;
  };
  const enter = (waiting: Waiting): void => {
    queue.push(waiting);
    while (queue.length > MOST_WAITING) queue.splice(queue.findIndex(isDispensable), 1);
    sending ??= sendAll();
  };

  const server = createServer((request, response) => {
    const [, given, name = '', ...rest] = (request.url ?? '').split('/');
    const { method } = request;
    const isKnown = given === secret && rest.length === 0 && LIVE_NAME.test(name);
    if (!isKnown || (method !== 'PUT' && method !== 'DELETE')) {
      response.writeHead(404).end();
      return;
    }
    readBody(request).then(
      (body) => {
        enter({ method, name, body: method === 'PUT' ? body : undefined });
        response.writeHead(204).end();
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/${secret}`,
    close: async () => {
      queue.length = 0;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await sending;
    },
  };
}

// Without its initialization segment a stream cannot be decoded.
function isDispensable({ name }: Waiting): boolean {
  return name !== 'init.mp4';
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_LIVE_SEGMENT_BYTES) throw new Error('The segment is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
