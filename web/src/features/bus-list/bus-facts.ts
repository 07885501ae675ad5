import type { BoardBus } from '@ridewatch/contract/board';
import { type Bus, type BusState, LONG_SILENT_MS } from '@ridewatch/contract/buses';

/** Share of the places from which on a bus is full. */
const FULL = 0.9;

/** What somebody should look at; the levels in their order. */
export type Mark =
  | { readonly kind: 'silent'; readonly level: 'error' }
  | {
      readonly kind: 'camera';
      readonly level: 'error';
      readonly name: string;
      readonly more: number;
    }
  | { readonly kind: 'lost'; readonly level: 'attention' }
  | { readonly kind: 'full'; readonly level: 'attention'; readonly percent: number }
  | { readonly kind: 'imbalance'; readonly level: 'attention'; readonly percent: number }
  | { readonly kind: 'no_price'; readonly level: 'note'; readonly count: number }
  | { readonly kind: 'review'; readonly level: 'note'; readonly count: number };

const LEVELS: readonly Mark['level'][] = ['note', 'attention', 'error'];

/** What the board shows of a bus. */
export interface BusFacts {
  /** Undefined until the figures are known. */
  readonly figures: BoardBus | undefined;
  readonly state: BusState | undefined;
  /** The gravest first. */
  readonly marks: readonly Mark[];
  /** The load in percent of the places; null where unknown. */
  readonly load: number | null;
  /** 0 without marks, 1 to 3 by the gravest. */
  readonly gravity: number;
}

const UNKNOWN: BusFacts = {
  figures: undefined,
  state: undefined,
  marks: [],
  load: null,
  gravity: 0,
};

/**
 * The facts of a bus.
 * @param figures undefined until they are known
 * @param madeAt when the figures were read
 * @param canReview whether the user reviews fragments
 */
export function factsOf(
  bus: Bus,
  figures: BoardBus | undefined,
  madeAt: string | undefined,
  canReview: boolean,
): BusFacts {
  if (figures === undefined) return UNKNOWN;
  const { inside, places } = figures;
  const load = inside === null || places === null ? null : Math.round((100 * inside) / places);
  const marks = [...silenceOf(bus, figures, madeAt), ...marksOf(bus, figures, load, canReview)];
  if (marks.length > 1) marks.sort((a, b) => LEVELS.indexOf(b.level) - LEVELS.indexOf(a.level));
  const gravest = marks[0];
  const gravity = gravest === undefined ? 0 : LEVELS.indexOf(gravest.level) + 1;
  return { figures, state: figures.state, marks, load, gravity };
}

/** Whether a bus needs attention: more than a note is on it. */
export function needsAttention({ gravity }: BusFacts): boolean {
  return gravity > 1;
}

function silenceOf(bus: Bus, { state }: BoardBus, madeAt: string | undefined): Mark[] {
  if (state !== 'silent') return [];
  const silentMs = Date.parse(madeAt ?? '') - Date.parse(bus.last_seen_at ?? '');
  return silentMs > LONG_SILENT_MS
    ? [{ kind: 'lost', level: 'attention' }]
    : [{ kind: 'silent', level: 'error' }];
}

function marksOf(bus: Bus, figures: BoardBus, load: number | null, canReview: boolean): Mark[] {
  const marks: Mark[] = [];
  const { state, offline_cameras: offline, imbalance_percent, no_price, waiting } = figures;
  const camera = bus.cameras.find(({ id }) => offline.includes(id));
  if (camera !== undefined) {
    const more = offline.length - 1;
    marks.push({ kind: 'camera', level: 'error', name: camera.name, more });
  }
  if (load !== null && load >= FULL * 100 && state !== 'silent' && state !== 'off')
    marks.push({ kind: 'full', level: 'attention', percent: load });
  if (imbalance_percent !== null)
    marks.push({ kind: 'imbalance', level: 'attention', percent: imbalance_percent });
  if (no_price > 0) marks.push({ kind: 'no_price', level: 'note', count: no_price });
  if (waiting > 0 && canReview) marks.push({ kind: 'review', level: 'note', count: waiting });
  return marks;
}
