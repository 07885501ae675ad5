import { createStoredValue } from '../../core/stored-value.ts';

/** The fragment at which each user of this browser stopped. */
const places = createStoredValue<Record<string, number>>('ridewatch.review', (raw) => {
  const known = typeof raw === 'object' && raw !== null ? Object.entries(raw) : [];
  return Object.fromEntries(
    known.filter((one): one is [string, number] => typeof one[1] === 'number'),
  );
});

/** Stores the fragment at which a user stopped, to continue there next time. */
export const stoppedAt = {
  of: (userId: number): number | undefined => places.get()[userId],
  put(userId: number, fragmentId: number | undefined): void {
    const { [userId]: _, ...others } = places.get();
    places.set(fragmentId === undefined ? others : { ...others, [userId]: fragmentId });
  },
};
