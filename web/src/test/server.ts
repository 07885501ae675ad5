import { type PublicSettings, publicSettings } from '@ridewatch/contract/auth';
import type { BodyOf, Endpoint } from '@ridewatch/contract/endpoint';
import { type ErrorCode, errorStatuses } from '@ridewatch/contract/errors';
import { vi } from 'vitest';
import type { AnswerOf } from '../calls/request.ts';

/** A call that the server received. */
export interface Asked<E = Endpoint> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: BodyOf<E>;
}

type Given<E> = AnswerOf<E> | Response;
type Answer<E> = Given<E> | ((asked: Asked<E>) => Given<E> | Promise<Given<E>>);

/** A fake server for component tests. A call without an answer gets 404. */
export interface FakeServer {
  /** Sets the answer of an endpoint from now on. The client checks each answer against the contract. */
  answer<E extends Endpoint>(endpoint: E, answer: Answer<E>): void;
  /** Makes an endpoint fail from now on. */
  refuse(endpoint: Endpoint, error: ErrorCode, message?: string): void;
  /** Makes an endpoint never answer from now on. */
  hang(endpoint: Endpoint): void;
  /** All calls of an endpoint, the latest last. */
  asked<E extends Endpoint>(endpoint: E): readonly Asked<E>[];
  /** While the link is down, no call is answered. */
  setLink(isUp: boolean): void;
}

interface Row {
  readonly endpoint: Endpoint;
  readonly path: RegExp;
  readonly asked: Asked[];
  reply: (asked: Asked) => Promise<Response>;
}

export const settings: PublicSettings = {
  company_name: 'Ridewatch',
  support_email: 'help@example.org',
  demo: false,
  needs_setup: false,
  mail_available: true,
  openid: null,
  tile_url: null,
  tile_attribution: '',
  map_version: null,
};

/** Replaces `fetch` and XMLHttpRequest by a fake server. */
export function startServer(): FakeServer {
  const rows = new Map<Endpoint, Row>();
  let isUp = true;
  const rowOf = (endpoint: Endpoint): Row => {
    const known = rows.get(endpoint);
    if (known) return known;
    const pattern = endpoint.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const row = { endpoint, path: new RegExp(`^${pattern}$`), asked: [], reply: notFound };
    rows.set(endpoint, row);
    return row;
  };
  const serve = async (address: string | URL | Request, init: RequestInit = {}) => {
    if (!isUp) throw new TypeError('no link');
    const { pathname, searchParams } = new URL(String(address), location.origin);
    const method = init.method ?? 'GET';
    const row = [...rows.values()]
      // The path with the fewest parameters wins: `/stops` is not an id.
      .sort((a, b) => a.endpoint.path.split('{').length - b.endpoint.path.split('{').length)
      .find(({ endpoint, path }) => endpoint.method === method && path.test(pathname));
    if (!row) return notFound();
    const asked = {
      params: row.path.exec(pathname)?.groups ?? {},
      query: searchParams,
      body: readBody(init.body) as never,
    };
    row.asked.push(asked);
    return row.reply(asked);
  };
  vi.stubGlobal('fetch', serve);
  vi.stubGlobal('XMLHttpRequest', requestThat(serve));
  const server: FakeServer = {
    answer(endpoint, answer) {
      rowOf(endpoint).reply = async (asked) => {
        const given =
          typeof answer === 'function' ? await (answer as (of: Asked) => unknown)(asked) : answer;
        if (given instanceof Response) return given;
        return given === undefined ? new Response(null, { status: 204 }) : Response.json(given);
      };
    },
    refuse(endpoint, error, message) {
      rowOf(endpoint).reply = async () => refusal(error, { message });
    },
    hang(endpoint) {
      rowOf(endpoint).reply = () => new Promise(() => undefined);
    },
    asked: <E extends Endpoint>(endpoint: E) => rowOf(endpoint).asked as unknown as Asked<E>[],
    setLink(next) {
      isUp = next;
    },
  };
  server.answer(publicSettings, settings);
  return server;
}

/** Makes a refusal. */
export function refusal(
  error: ErrorCode,
  {
    message = 'It was refused.',
    ...more
  }: { message?: string | undefined; field?: string; current?: unknown } = {},
): Response {
  const status = errorStatuses[error];
  return Response.json({ error, message, ...more, requestId: 'r1' }, { status });
}

async function notFound(): Promise<Response> {
  return refusal('not_found', { message: 'There is no such thing.' });
}

function readBody(body: BodyInit | null | undefined): unknown {
  if (typeof body === 'string') return JSON.parse(body);
  if (body instanceof URLSearchParams || body instanceof FormData) {
    return Object.fromEntries(body.entries());
  }
  return undefined;
}

/** An XMLHttpRequest, with its progress events, that the same server answers. */
function requestThat(serve: (address: string, init: RequestInit) => Promise<Response>) {
  return class extends EventTarget {
    readonly upload = new EventTarget();
    status = 0;
    statusText = '';
    responseText = '';
    #address = '';
    #method = 'GET';

    open(method: string, address: string): void {
      this.#method = method;
      this.#address = address;
    }

    setRequestHeader(): void {}
    abort(): void {}

    getResponseHeader(): string {
      return 'application/json';
    }

    async send(body: BodyInit): Promise<void> {
      try {
        const response = await serve(this.#address, { method: this.#method, body });
        this.status = response.status;
        this.responseText = await response.text();
        this.dispatchEvent(new Event('load'));
      } catch {
        this.dispatchEvent(new Event('error'));
      }
    }
  };
}
