// One request over the wire, and how to send it by hand.
import http from 'node:http';
import type { Made } from './requests.ts';

/** An answer that has not come after this is none, ms; commands are waited for at most a second here. */
const TIMEOUT_MS = 15_000;
/** Of an answer so much is read; the rest is counted. */
const MOST_READ_BYTES = 32 * 1024 * 1024;
/** A server may close the line while so much is on its way; whoever sends it may not hear the answer. */
const LARGE_BODY_BYTES = 65_536;

export interface Heard {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  readonly ms: number;
}

export interface Wire {
  /** @returns what was heard, or in a sentence why nothing was; undefined: cut off amid a large body, as may be */
  send(made: Made, authorization: string | undefined): Promise<Heard | string | undefined>;
  close(): void;
}

/** Lines to a product. @param most so many at once */
export function openWire(url: string, most: number): Wire {
  const agent = new http.Agent({ keepAlive: true, maxSockets: most });
  const { hostname, port } = new URL(url);
  return {
    close: () => agent.destroy(),
    send: function send(made, authorization) {
      return new Promise((resolve) => {
        const startMs = performance.now();
        const { method, url: path, body } = made;
        const headers = {
          ...(authorization === undefined ? {} : { authorization }),
          ...made.headers,
          ...(body === undefined ? {} : { 'content-length': String(body.length) }),
        };
        const fail = (error: Error): void => {
          const isCut =
            (body?.length ?? 0) > LARGE_BODY_BYTES &&
            /EPIPE|ECONNRESET|hang up/.test(error.message);
          resolve(isCut ? undefined : `no answer: ${error.message}`);
        };
        const request = http.request({ agent, hostname, port, method, path, headers }, (answer) => {
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
        });
        request.setTimeout(TIMEOUT_MS, () =>
          request.destroy(new Error(`nothing in ${TIMEOUT_MS} ms`)),
        );
        request.once('error', (error) => {
          // The server closed an idle line at the moment when it was taken up again; that is its right (RFC 9112, 9.5).
          if (request.reusedSocket && /ECONNRESET|hang up|EPIPE/.test(error.message)) {
            resolve(send(made, authorization));
          } else fail(error);
        });
        request.end(body);
      });
    },
  };
}

/** A request as a line for a shell; the asker's credential is a variable. */
export function curlOf(url: string, { method, url: path, headers, body, asker }: Made): string {
  const quote = (text: string): string => `$'${escapeShell(text)}'`;
  const said = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
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
    ...said,
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
