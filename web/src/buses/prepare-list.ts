import { listBuses } from '@ridewatch/contract/buses';
import { listActiveMessages } from '@ridewatch/contract/news';
import { prefetchEndpoint } from '../api.ts';

/** Longer than a good connection needs; after that the list shows its shape until it comes. */
const PATIENCE_MS = 250;

/**
 * Asks for what the bus list shows as soon as its file is there, and lets the screen wait for it a moment: with a quick
 * answer the list is drawn once, not first as a shape. Never fails: the screen tells what did.
 */
export async function prepareBusList(): Promise<void> {
  const known = Promise.all([
    prefetchEndpoint(listBuses, {}, { handled: true }),
    prefetchEndpoint(listActiveMessages, {}, { handled: true }),
  ]);
  await Promise.race([known, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}
