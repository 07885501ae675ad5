import { currentSession } from './session.ts';

interface Prefetched {
  readonly access: string;
  readonly response: Promise<Response>;
}

const prefetched = new Map<string, Prefetched>();

/** Starts a GET for a signed-in user before the code that needs the answer is loaded. */
export function startPrefetch(address: string): void {
  const access = currentSession()?.access;
  if (access === undefined) return;
  const headers = { accept: 'application/json', authorization: `Bearer ${access}` };
  const response = fetch(address, { headers });
  // The taker handles a failure; without a taker it does not matter.
  response.catch(() => undefined);
  prefetched.set(address, { access, response });
}

/**
 * Takes a prefetched request; each can be taken once, with the token that it was sent with.
 * @returns a replacement for `fetch`; undefined if there is none
 */
export function takePrefetched(address: string, access: string | undefined) {
  const found = prefetched.get(address);
  prefetched.delete(address);
  return found && found.access === access ? () => found.response : undefined;
}
