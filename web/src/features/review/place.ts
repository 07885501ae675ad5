import { createStoredValue } from '../../stored-value.ts';

/** Where each user of this browser stopped. */
const places = createStoredValue<Record<string, number>>('ridewatch.review', (raw) => {
  const known = typeof raw === 'object' && raw !== null ? Object.entries(raw) : [];
  return Object.fromEntries(
    known.filter((one): one is [string, number] => typeof one[1] === 'number'),
  );
});

/** The fragment at which a user stopped, to go on with it another time. */
export const stoppedAt = {
  of: (userId: number): number | undefined => places.get()[userId],
  put(userId: number, fragmentId: number | undefined): void {
    const { [userId]: _, ...others } = places.get();
    places.set(fragmentId === undefined ? others : { ...others, [userId]: fragmentId });
  },
};
