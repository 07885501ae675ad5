/** The current time, ms since 1970 UTC. No other module of the screens reads the machine's clock. */
export function nowMs(): number {
  return Date.now();
}
