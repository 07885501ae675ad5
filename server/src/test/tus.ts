// The client side of resumable uploads, request by request, for tests that break the order.
import { uploadHeaders } from './video.ts';

/** The headers of a chunk at an offset. */
export const chunkHeaders = (credential: string, offset: number): Record<string, string> => ({
  authorization: `Bearer ${credential}`,
  'tus-resumable': '1.0.0',
  'upload-offset': String(offset),
  'content-type': 'application/offset+octet-stream',
});

export interface TusClient {
  create(
    announced: { stream: string; seq: number },
    length: number,
    other?: { credential?: string; sha256?: string },
  ): Promise<Response>;
  /** Creates an upload; expects that it is accepted. @returns its address */
  open(announced: { stream: string; seq: number }, length: number): Promise<string>;
  patch(location: string, offset: number, bytes: Buffer): Promise<Response>;
  end(location: string): Promise<Response>;
  /** The offset that the server reports; the negative status if it reports none. */
  offsetOf(location: string): Promise<number>;
}

/** Creates a client. @param ownCredential default credential of its requests */
export function createTusClient(base: string, ownCredential: string): TusClient {
  const headers = { authorization: `Bearer ${ownCredential}`, 'tus-resumable': '1.0.0' };
  const client: TusClient = {
    create: (announced, length, { credential = ownCredential, sha256 } = {}) =>
      fetch(`${base}/unit/v1/uploads`, {
        method: 'POST',
        headers: uploadHeaders(credential, announced, length, sha256),
      }),
    open: async (announced, length) => {
      const answer = await client.create(announced, length);
      if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
      return answer.headers.get('location') ?? '';
    },
    patch: (location, offset, bytes) =>
      fetch(base + location, {
        method: 'PATCH',
        headers: chunkHeaders(ownCredential, offset),
        body: new Uint8Array(bytes),
      }),
    end: (location) => fetch(base + location, { method: 'DELETE', headers }),
    offsetOf: async (location) => {
      const answer = await fetch(base + location, { method: 'HEAD', headers });
      return answer.status === 200 ? Number(answer.headers.get('upload-offset')) : -answer.status;
    },
  };
  return client;
}
