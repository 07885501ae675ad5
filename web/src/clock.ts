/** The present, ms since 1970 UTC; nothing else in the screens asks the machine what time it is. */
export function nowMs(): number {
  return Date.now();
}
