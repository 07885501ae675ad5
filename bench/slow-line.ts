import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

interface Line {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Opens a proxy to a server that delays every byte.
 * @param roundTripMs delay of both directions together
 */
export async function startLine(url: string, roundTripMs: number): Promise<Line> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    delay(near, far, roundTripMs / 2);
    delay(far, near, roundTripMs / 2);
    for (const end of [near, far]) {
      end.setNoDelay(true);
      open.add(end);
      end.once('close', () => open.delete(end));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const end of open) end.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function delay(from: Socket, to: Socket, delayMs: number): void {
  from.on('data', (chunk) => setTimeout(() => to.destroyed || to.write(chunk), delayMs));
  from.once('close', () => setTimeout(() => to.destroy(), delayMs));
  // The close event follows an error.
  from.on('error', () => from.destroy());
}
