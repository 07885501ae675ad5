// Counts that are being typed. They live outside of the rows, which come and go while one scrolls, and are sent half a
// second after the last key (spec section 4).
import type { ManualCount, Segment } from '@ridewatch/contract/segments';

const PAUSE_MS = 500;
/** How soon what was not answered is sent again, ms. */
export const AGAIN_MS = 5_000;
/** How long a row says that it was saved, ms. */
const SAID_MS = 2_000;

/** What a segment's four manual counts are, or are to be. */
export type ManualCounts = Pick<Segment, 'entered_manual' | 'exited_manual'>;

export interface Draft {
  readonly counts: ManualCounts;
  /** What stood there when typing began, or was saved last. */
  readonly seen: ManualCounts;
  readonly state: 'typing' | 'saving' | 'saved' | 'failed';
}

export interface ManualEdits {
  /** Takes a typed value; null stands for the automatic count. */
  type(
    segment: Segment,
    side: keyof ManualCounts,
    who: keyof ManualCount,
    value: number | null,
  ): void;
  /**
   * Sends at once what waits: of one fragment, or of all, as when the page is left; then also what was typed while an
   * earlier value is still on its way. Also tries again what failed.
   */
  flush(segmentId?: number): void;
  drafts(): ReadonlyMap<number, Draft>;
  subscribe(listener: () => void): () => void;
}

/**
 * Keeps and sends typed counts. What is not answered is sent again, until it is; what is refused is rolled back.
 * @param save sends the four counts of a fragment; one call a fragment runs at a time, until the page is left
 * @param isRefused whether a failure of `save` is the server's last word; it tells the user what is wrong, of a failure
 * that is tried again only the first time
 */
export function createManualEdits(
  save: (segmentId: number, counts: ManualCounts, seen: ManualCounts) => Promise<void>,
  isRefused: (error: unknown, segmentId: number, isAgain: boolean) => boolean,
): ManualEdits {
  const listeners = new Set<() => void>();
  const timers = new Map<number, ReturnType<typeof setTimeout>>();
  /** What was sent last of each fragment, until it is answered. */
  const underWay = new Map<number, ManualCounts>();
  let drafts: ReadonlyMap<number, Draft> = new Map();
  const put = (id: number, draft: Draft | undefined): void => {
    const next = new Map(drafts);
    if (draft) next.set(id, draft);
    else next.delete(id);
    drafts = next;
    for (const listener of listeners) listener();
  };
  const wait = (id: number, ms: number, then: () => void): void => {
    clearTimeout(timers.get(id));
    timers.set(id, setTimeout(then, ms));
  };
  const send = async (id: number, way?: 'leaving' | 'again'): Promise<void> => {
    const draft = drafts.get(id);
    if (!draft || draft.state === 'saved') return;
    const isNewer = underWay.get(id) !== draft.counts;
    if (underWay.has(id) && !(way === 'leaving' && isNewer)) return;
    clearTimeout(timers.get(id));
    const { counts, seen } = draft;
    underWay.set(id, counts);
    // What failed says so until it has succeeded.
    if (way !== 'again') put(id, { counts, seen, state: 'saving' });
    const state = await save(id, counts, seen).then(
      () => 'saved' as const,
      (error: unknown) =>
        isRefused(error, id, way === 'again') ? ('refused' as const) : ('failed' as const),
    );
    // A later one went out meanwhile: what comes of that is what counts.
    if (underWay.get(id) !== counts) return;
    underWay.delete(id);
    const latest = drafts.get(id)?.counts ?? counts;
    const known = state === 'saved' ? counts : seen;
    if (latest !== counts && state !== 'refused') {
      // Typed on meanwhile: what is there now is sent after the pause that its keys began.
      put(id, { counts: latest, seen: known, state: 'typing' });
      wait(id, PAUSE_MS, () => void send(id));
      return;
    }
    put(id, state === 'refused' ? undefined : { counts, seen: known, state });
    if (state === 'saved') wait(id, SAID_MS, () => put(id, undefined));
    if (state === 'failed') wait(id, AGAIN_MS, () => void send(id, 'again'));
  };
  return {
    type(segment, side, who, value) {
      const { id } = segment;
      const before = drafts.get(id);
      const { entered_manual, exited_manual } = before?.counts ?? segment;
      const counts = { entered_manual, exited_manual };
      const seen = before?.seen ?? counts;
      const changed = { ...counts, [side]: { ...counts[side], [who]: value } };
      const isRunning = underWay.has(id);
      put(id, { counts: changed, seen, state: isRunning ? 'saving' : 'typing' });
      if (!isRunning) wait(id, PAUSE_MS, () => void send(id));
    },
    flush(segmentId) {
      const ids = segmentId === undefined ? [...drafts.keys()] : [segmentId];
      for (const id of ids) void send(id, segmentId === undefined ? 'leaving' : undefined);
    },
    drafts: () => drafts,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
