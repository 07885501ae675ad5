const KEY = 'ridewatch.target';

/** Remembers the path and query that somebody wanted before signing in. */
export function rememberDestination(href: string): void {
  sessionStorage.setItem(KEY, href);
}

/** The remembered path and query, once, as a navigation takes them; else another address. */
export function destinationOr(otherwise: string): { to: string; search: Record<string, string> } {
  const url = new URL(takeDestination() ?? otherwise, location.origin);
  return { to: url.pathname, search: Object.fromEntries(url.searchParams) };
}

function takeDestination(): string | undefined {
  const href = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  // Only paths of this application: '//host' would be another one's.
  return href && /^\/(?!\/)/.test(href) ? href : undefined;
}
