import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';

const source = readFileSync(new URL('../service-worker.js', import.meta.url), 'utf8');
const ORIGIN = 'https://ridewatch.example';

interface FetchEvent {
  request: { url: string; method: string; mode: string };
  respondWith(answer: Promise<Response>): void;
}

/** Opens a page through the worker; returns what the browser shows. */
async function open({ fetched, stored }: { fetched: Response; stored?: Response }) {
  const listeners = new Map<string, (event: FetchEvent) => void>();
  runInNewContext(source, {
    URL,
    setTimeout: () => undefined,
    fetch: async () => fetched,
    caches: { open: async () => ({ match: async () => stored }) },
    self: {
      location: { origin: ORIGIN },
      addEventListener: (name: string, listener: (event: FetchEvent) => void) =>
        listeners.set(name, listener),
    },
  });
  const answer = await new Promise<Response>((resolve) => {
    listeners.get('fetch')?.({
      request: { url: `${ORIGIN}/news`, method: 'GET', mode: 'navigate' },
      respondWith: resolve,
    });
  });
  return answer.text();
}

const proxyPage = (status: number) => new Response('page of the proxy', { status });
const shell = () => new Response('stored shell');

describe('the worker of the installed application', () => {
  it.each([500, 502, 503, 504])(
    'opens the stored shell when a page is answered %d',
    async (status) => {
      expect(await open({ fetched: proxyPage(status), stored: shell() })).toBe('stored shell');
    },
  );

  it('opens what the server answers otherwise', async () => {
    expect(await open({ fetched: new Response('fresh page'), stored: shell() })).toBe('fresh page');
    expect(await open({ fetched: proxyPage(404), stored: shell() })).toBe('page of the proxy');
  });

  it('opens the refusal if it has stored no shell', async () => {
    expect(await open({ fetched: proxyPage(502) })).toBe('page of the proxy');
  });
});
