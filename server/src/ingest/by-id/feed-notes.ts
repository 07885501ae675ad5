// Notes what a unit known by an id sent while somebody listens to it, and what became of it. Nothing waits for a note.
import { FeedFate, MOST_FEED_ROWS } from '@ridewatch/contract/admin-feed';
import type { Deps } from '../../deps.ts';
import { createFeedWrites } from '../store/feed-writes.ts';
import type { RecordStore } from '../store/record-store.ts';
import type { FeedNote } from '../store/unit-feed.ts';
import type { UnitById } from './units.ts';

/** An even number of hexadecimal digits stands for bytes. */
const BYTES = /^(?:[\da-f]{2})+$/i;

/** A message of a known unit. */
export interface Heard {
  readonly unit: UnitById<unknown>;
  /** A refusal in the protocol's own words or numbers: it cannot be read. Undefined: it could not be stored now. */
  readonly fate: string | number | undefined;
  readonly raw: () => string;
}

/** Makes the notes of one process. */
export function createFeedNotes({
  store,
  log,
}: Pick<Deps, 'log'> & { readonly store: Pick<RecordStore, 'noteFor'> }) {
  const write = createFeedWrites({ log }, (unit, notes) => store.noteFor(unit, notes));

  /** @param receivedAtMs the server's clock at arrival, ms since 1970 UTC */
  return (messages: readonly Heard[], receivedAtMs: number): void => {
    const listened = messages.filter(
      ({ unit }) => (unit.listenedUntilMs ?? Number.NEGATIVE_INFINITY) > receivedAtMs,
    );
    if (listened.length === 0) return;
    // The unit may have moved from one message to the next.
    for (const [unit, own] of Map.groupBy(listened, ({ unit }) => unit.unit)) {
      // No more are kept, and a batch of JT/T 808 may have 65,000 items.
      write(unit, () => own.slice(-MOST_FEED_ROWS).map((one) => noteOf(one, receivedAtMs)));
    }
  };
}

function noteOf({ fate, raw }: Heard, receivedAtMs: number): FeedNote {
  const body = raw();
  return { receivedAtMs, outcome: outcomeOf(fate), bytes: bytesIn(body), body };
}

function outcomeOf(fate: Heard['fate']): FeedFate {
  if (fate === undefined) return 'not_now';
  if (fate === 'aside_full') return 'no_room';
  return FeedFate.safeParse(fate).data ?? 'unread';
}

const bytesIn = (body: string): number =>
  BYTES.test(body) ? body.length / 2 : Buffer.byteLength(body);
