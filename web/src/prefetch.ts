import { currentSession } from './session.ts';

interface Begun {
  readonly access: string;
  readonly response: Promise<Response>;
}

const begun = new Map<string, Begun>();

/** Begins a reading call of somebody who is signed in, before the code that will ask for it is there. */
export function beginEarly(path: string): void {
  const access = currentSession()?.access;
  if (access === undefined) return;
  const headers = { accept: 'application/json', authorization: `Bearer ${access}` };
  const response = fetch(path, { headers });
  // Who takes it is told of a failure; where nobody does, it is nobody's.
  response.catch(() => undefined);
  begun.set(path, { access, response });
}

/**
 * A request that was begun early, once, for who asks with the same token.
 * @returns in place of `fetch`; undefined when there is none
 */
export function takeEarly(path: string, access: string | undefined) {
  const early = begun.get(path);
  begun.delete(path);
  return early && early.access === access ? () => early.response : undefined;
}
