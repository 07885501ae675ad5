import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A store of S3 that refuses everything. */
export interface RefusingStore {
  readonly endpoint: string;
  /** Sets how it refuses from now on. */
  refuseWith(status: number, code: string): void;
  close(): Promise<void>;
}

/** The message of its refusals. */
export const WORDS_OF_STORE = 'The words of the store';

/** Opens a store that refuses with AccessDenied. */
export async function openRefusingStore(): Promise<RefusingStore> {
  let refusal = { status: 403, code: 'AccessDenied' };
  const server = createServer((request, reply) => {
    request.resume().on('end', () => {
      const { status, code } = refusal;
      const body = `<Error><Code>${code}</Code><Message>${WORDS_OF_STORE}</Message></Error>`;
      reply.writeHead(status, { 'content-type': 'application/xml' });
      reply.end(request.method === 'HEAD' ? undefined : body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refuseWith: (status, code) => {
      refusal = { status, code };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
