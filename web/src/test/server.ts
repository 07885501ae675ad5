import { type PublicSettings, publicSettings } from '@ridewatch/contract/auth';
import type { BodyOf, Endpoint } from '@ridewatch/contract/endpoint';
import { type ErrorCode, errorStatuses } from '@ridewatch/contract/errors';
import { vi } from 'vitest';
import type { AnswerOf } from '../request.ts';

/** A call as it came to the server. */
export interface Asked<E = Endpoint> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: BodyOf<E>;
}

type Given<E> = AnswerOf<E> | Response;
type Answer<E> = Given<E> | ((asked: Asked<E>) => Given<E> | Promise<Given<E>>);

/** The other end of the wire, as far as a test needs it; what it was told no answer for is not found. */
export interface FakeServer {
  /** What a call answers from now on. The client checks each answer against the contract. */
  answer<E extends Endpoint>(endpoint: E, answer: Answer<E>): void;
  /** From now on a call fails. */
  refuse(endpoint: Endpoint, error: ErrorCode, message?: string): void;
  /** From now on a call is never answered. */
  hang(endpoint: Endpoint): void;
  /** All calls of an endpoint, the latest last. */
  asked<E extends Endpoint>(endpoint: E): readonly Asked<E>[];
  /** While the link is down nothing is answered. */
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
  tile_url: null,
  tile_attribution: '',
};

/** Puts itself in the place of `fetch`. */
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
      // The most particular one: /stops is no id.
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

/** What a server answers to what it refuses. */
export function refusal(
  error: ErrorCode,
  { message = 'It was refused.', field }: { message?: string | undefined; field?: string } = {},
): Response {
  const status = errorStatuses[error];
  return Response.json({ error, message, field, requestId: 'r1' }, { status });
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

/** Carries what goes out with XMLHttpRequest, for its progress, to the same server. */
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
