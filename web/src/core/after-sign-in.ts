const KEY = 'ridewatch.target';

interface Destination {
  to: string;
  search: Record<string, string>;
}

/** Remembers the path and query that a user wanted to open before sign-in. */
export function rememberDestination(href: string): void {
  sessionStorage.setItem(KEY, href);
}

/** Returns the remembered path and query once, or another address, for `navigate`. */
export function destinationOr(otherwise: string): Destination {
  const destination = keptDestinationOr(otherwise);
  forgetDestination();
  return destination;
}

/** Returns the same as `destinationOr`, and goes on remembering it. */
export function keptDestinationOr(otherwise: string): Destination {
  const href = sessionStorage.getItem(KEY);
  // Only paths of this site: `//host` would be another one.
  const url = new URL(href && /^\/(?!\/)/.test(href) ? href : otherwise, location.origin);
  return { to: url.pathname, search: Object.fromEntries(url.searchParams) };
}

/** Forgets the remembered path and query. */
export function forgetDestination(): void {
  sessionStorage.removeItem(KEY);
}
