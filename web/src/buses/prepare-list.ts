import { listBuses } from '@ridewatch/contract/buses';
import { listActiveMessages } from '@ridewatch/contract/news';
import { prefetchEndpoint } from '../calls/api.ts';

/** Longer than a good connection needs, ms; after that the list shows its outline. */
const PATIENCE_MS = 250;

/**
 * Prefetches the data of the bus list and waits for it for a moment: with a quick answer the list is rendered once,
 * without its outline before. Never rejects; the screen reports failures.
 */
export async function prepareBusList(): Promise<void> {
  const known = Promise.all([
    prefetchEndpoint(listBuses, {}),
    prefetchEndpoint(listActiveMessages, {}),
  ]);
  await Promise.race([known, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}
