import { currentSession } from './session.ts';

interface Prefetched {
  readonly access: string;
  readonly response: Promise<Response>;
}

const prefetched = new Map<string, Prefetched>();

/** Begins a reading call of somebody who is signed in, before the code that will ask for it is there. */
export function startPrefetch(path: string): void {
  const access = currentSession()?.access;
  if (access === undefined) return;
  const headers = { accept: 'application/json', authorization: `Bearer ${access}` };
  const response = fetch(path, { headers });
  // Who takes it is told of a failure; where nobody does, it is nobody's.
  response.catch(() => undefined);
  prefetched.set(path, { access, response });
}

/**
 * A request that was prefetched early, once, for who asks with the same token.
 * @returns in place of `fetch`; undefined when there is none
 */
export function takePrefetched(path: string, access: string | undefined) {
  const found = prefetched.get(path);
  prefetched.delete(path);
  return found && found.access === access ? () => found.response : undefined;
}
