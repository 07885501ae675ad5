// Sends one request, and formats it for a shell.
import http from 'node:http';
import type { FuzzRequest } from './requests.ts';

/** Timeout of an answer, ms; long polls wait at most a second here. */
const TIMEOUT_MS = 15_000;
/** Most bytes of an answer that are kept; further ones are discarded. */
const MOST_READ_BYTES = 32 * 1024 * 1024;
/** The server may close the connection during a larger body, and the client may then lose the answer. */
const LARGE_BODY_BYTES = 65_536;

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  readonly ms: number;
}

export interface Wire {
  /**
   * @returns the answer, or a sentence why there is none; undefined if the connection was closed during a large body
   */
  send(
    request: FuzzRequest,
    authorization: string | undefined,
  ): Promise<Answer | string | undefined>;
  close(): void;
}

/** Opens connections to a product. @param most most concurrent ones */
export function openWire(url: string, most: number): Wire {
  const agent = new http.Agent({ keepAlive: true, maxSockets: most });
  const { hostname, port } = new URL(url);
  return {
    close: () => agent.destroy(),
    send: function send(request, authorization) {
      return new Promise((resolve) => {
        const startMs = performance.now();
        const { method, url: path, body } = request;
        const headers = {
          ...(authorization === undefined ? {} : { authorization }),
          ...request.headers,
          ...(body === undefined ? {} : { 'content-length': String(body.length) }),
        };
        const fail = (error: Error): void => {
          const isCut =
            (body?.length ?? 0) > LARGE_BODY_BYTES &&
            /EPIPE|ECONNRESET|hang up/.test(error.message);
          resolve(isCut ? undefined : `no answer: ${error.message}`);
        };
        const outgoing = http.request(
          { agent, hostname, port, method, path, headers },
          (answer) => {
            const chunks: Buffer[] = [];
            let length = 0;
            answer.on('data', (chunk: Buffer) => {
              length += chunk.length;
              if (length <= MOST_READ_BYTES) chunks.push(chunk);
            });
            answer.once('error', fail);
            answer.once('end', () =>
              resolve({
                status: answer.statusCode ?? 0,
                headers: answer.headers,
                body: Buffer.concat(chunks),
                ms: performance.now() - startMs,
              }),
            );
          },
        );
        outgoing.setTimeout(TIMEOUT_MS, () =>
          outgoing.destroy(new Error(`timeout of ${TIMEOUT_MS} ms`)),
        );
        outgoing.once('error', (error) => {
          // The server may close an idle connection just when it is reused (RFC 9112, 9.5).
          if (outgoing.reusedSocket && /ECONNRESET|hang up|EPIPE/.test(error.message)) {
            resolve(send(request, authorization));
          } else fail(error);
        });
        outgoing.end(body);
      });
    },
  };
}

/** Formats a request as a curl command; the credential is a shell variable. */
export function curlOf(
  url: string,
  { method, url: path, headers, body, asker }: FuzzRequest,
): string {
  const quote = (text: string): string => `$'${escapeShell(text)}'`;
  const options = Object.entries(headers).map(
    ([name, value]) => `-H ${quote(`${name}: ${value}`)}`,
  );
  const isKnown = asker !== 'nobody' && headers.authorization === undefined;
  const credential = isKnown ? [`-H "Authorization: Bearer $${asker.toUpperCase()}"`] : [];
  const sent =
    body === undefined
      ? []
      : [`--data-binary @- <<< ${quote(body.toString('latin1').slice(0, 2000))}`];
  const head = method === 'HEAD' ? '-I' : `-X ${method}`;
  return [
    'curl',
    '-g',
    '--path-as-is',
    head,
    ...credential,
    ...options,
    quote(url + path),
    ...sent,
  ].join(' ');
}

function escapeShell(text: string): string {
  return text.replace(
    /[^\x20-\x7e]|['\\]/g,
    (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
