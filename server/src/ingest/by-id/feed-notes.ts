// Notes what a unit known by an id sent while somebody listens to it, and what became of it. Nothing waits for a note; at
// most eight are written at a time, and further ones are left out.
import { FeedFate } from '@ridewatch/contract/admin-feed';
import { isDatabaseAway } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';
import type { RecordStore } from '../store/record-store.ts';
import type { FeedNote, ListenedUnit } from '../store/unit-feed.ts';
import type { UnitById } from './units.ts';

const MOST_WRITING = 8;
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
  let writing = 0;

  async function write(unit: ListenedUnit, notes: readonly FeedNote[]): Promise<void> {
    writing += 1;
    try {
      await store.noteFor(unit, notes);
    } catch (err) {
      if (!isDatabaseAway(err))
        log.warn({ err, unitId: unit.unitId }, 'what a unit sent was not kept');
    } finally {
      writing -= 1;
    }
  }

  /** @param receivedAtMs the server's clock at arrival, ms since 1970 UTC */
  return (messages: readonly Heard[], receivedAtMs: number): void => {
    const listened = messages.filter(
      ({ unit }) => (unit.listenedUntilMs ?? Number.NEGATIVE_INFINITY) > receivedAtMs,
    );
    if (listened.length === 0) return;
    // The unit may have moved from one message to the next.
    const byUnit = Map.groupBy(listened, ({ unit }) => unit.unit);
    for (const [unit, own] of byUnit) {
      if (writing >= MOST_WRITING) return;
      void write(
        unit,
        own.map(({ fate, raw }) => {
          const body = raw();
          return { receivedAtMs, outcome: outcomeOf(fate), bytes: bytesIn(body), body };
        }),
      );
    }
  };
}

function outcomeOf(fate: Heard['fate']): FeedFate {
  if (fate === undefined) return 'not_now';
  if (fate === 'aside_full') return 'no_room';
  return FeedFate.safeParse(fate).data ?? 'unread';
}

const bytesIn = (body: string): number =>
  BYTES.test(body) ? body.length / 2 : Buffer.byteLength(body);
