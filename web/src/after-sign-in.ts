const KEY = 'ridewatch.target';

/** Remembers the path and query that a user wanted to open before sign-in. */
export function rememberDestination(href: string): void {
  sessionStorage.setItem(KEY, href);
}

/** Returns the remembered path and query once, or another address, for `navigate`. */
export function destinationOr(otherwise: string): { to: string; search: Record<string, string> } {
  const url = new URL(takeDestination() ?? otherwise, location.origin);
  return { to: url.pathname, search: Object.fromEntries(url.searchParams) };
}

function takeDestination(): string | undefined {
  const href = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  // Only paths of this site: `//host` would be another one.
  return href && /^\/(?!\/)/.test(href) ? href : undefined;
}
