import type { BoardBus } from '@ridewatch/contract/board';
import { type Bus, type BusState, LONG_SILENT_MS } from '@ridewatch/contract/buses';
import { formatDay } from '../../i18n/format.ts';

/** Share of the places from which on a bus is full. */
const FULL = 0.9;

/** A thing that somebody should look at besides the state; the levels in their order. */
export type Mark =
  | {
      readonly kind: 'camera';
      readonly level: 'error';
      readonly name: string;
      readonly more: number;
    }
  | { readonly kind: 'full'; readonly level: 'attention'; readonly percent: number }
  | { readonly kind: 'imbalance'; readonly level: 'attention'; readonly percent: number }
  | { readonly kind: 'day'; readonly level: 'note'; readonly day: string }
  | {
      readonly kind: 'passes';
      readonly level: 'note';
      readonly day: string;
      readonly to: string | undefined;
    }
  | { readonly kind: 'no_price'; readonly level: 'note'; readonly count: number }
  | { readonly kind: 'review'; readonly level: 'note'; readonly count: number };

const LEVELS: readonly Mark['level'][] = ['note', 'attention', 'error'];

/** The facts that the board shows of a bus. */
export interface BusFacts {
  /** Undefined until the figures are known. */
  readonly figures: BoardBus | undefined;
  readonly state: BusState | undefined;
  /** The gravest first. */
  readonly marks: readonly Mark[];
  /** The load in percent of the places; null where unknown. */
  readonly load: number | null;
  /** Of a silent bus: a fault, until it is silent for longer than a weekend. */
  readonly silence: 'error' | 'attention' | undefined;
  /** 0 without marks and silence, 1 to 3 by the gravest. */
  readonly gravity: number;
}

const UNKNOWN: BusFacts = {
  figures: undefined,
  state: undefined,
  marks: [],
  load: null,
  silence: undefined,
  gravity: 0,
};

/** Facts of a bus that follow from those of the others, and from the customers. */
interface Beside {
  /** The local day of the bus, `13.11`, if most others have another one. */
  readonly day?: string | undefined;
  /** The names of the customers to whom the bus passes after today; undefined: the user's own. */
  readonly next?: string | undefined;
}

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
  { day, next }: Beside = {},
): BusFacts {
  if (figures === undefined) return UNKNOWN;
  const { inside, places } = figures;
  const load = inside === null || places === null ? null : Math.round((100 * inside) / places);
  const marks = marksOf(bus, figures, load, canReview);
  if (bus.passes) {
    const from = formatDay(bus.passes.from);
    marks.unshift({ kind: 'passes', level: 'note', day: from, to: next });
  }
  if (day !== undefined) marks.unshift({ kind: 'day', level: 'note', day });
  if (marks.length > 1) marks.sort((a, b) => LEVELS.indexOf(b.level) - LEVELS.indexOf(a.level));
  const silence = silenceOf(bus, figures, madeAt);
  const gravity = Math.max(gravityOf(marks[0]?.level), gravityOf(silence));
  return { figures, state: figures.state, marks, load, silence, gravity };
}

/** Whether a bus needs attention: more than a note is on it. */
export function needsAttention({ gravity }: BusFacts): boolean {
  return gravity > 1;
}

const gravityOf = (level: Mark['level'] | undefined): number =>
  level === undefined ? 0 : LEVELS.indexOf(level) + 1;

function silenceOf(bus: Bus, { state }: BoardBus, madeAt: string | undefined): BusFacts['silence'] {
  if (state !== 'silent') return undefined;
  const silentMs = Date.parse(madeAt ?? '') - Date.parse(bus.last_seen_at ?? '');
  return silentMs > LONG_SILENT_MS ? 'attention' : 'error';
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
