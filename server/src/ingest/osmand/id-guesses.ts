// Limits the guessing of ids. An id is as good as a password, and some apps make those of eight digits; an answer tells
// whether a unit has one. Counted in a process: phones send each few seconds, and a row for each of them costs too much.
import { Cache } from '../../core/cache.ts';
import { AppError } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';
import { networkOf } from '../by-id/unit-places.ts';

/** Ids of one request. A gateway that sends for more phones sends several. */
export const MOST_IDS = 100;
/**
 * Different ids without a unit of one address, or one /64 of IPv6, within the window, ms: as many as wrong passwords. Eight
 * digits last for decades. A phone repeats one id, so a gateway may have as many phones that no unit has yet.
 */
export const MOST_UNKNOWN = 100;
const WINDOW_MS = 15 * 60_000;
/** Networks with such ids, 25 MB. Beyond them the one heard least recently is forgotten: so many guess quickly anyway. */
const MOST_NETWORKS = 2000;
/** Ids of units, each with a network that has sent it, 12 MB. */
const MOST_SENT = 50_000;
/** The form of 128 random bits, as the administration makes an id. */
const RANDOM = /^[0-9a-f]{32}$/;

/** What is known of the ids of a request before anybody looks for their units. */
interface Sifted {
  /** Ids whose units may be looked for. */
  readonly open: ReadonlySet<string>;
  /** Others: whether a unit has them changes nothing. */
  readonly withheld: ReadonlySet<string>;
  /** Whether one of the ids was a unit's when the address sent it before. */
  readonly isFamiliar: boolean;
}

/** The guesses of one port. */
export interface IdGuesses {
  /**
   * Sifts the ids of a request, so that those beyond the limit cost nothing.
   * @param address as `plainAddress` writes it
   * @throws AppError too_large when a request has too many
   */
  sift(ids: ReadonlySet<string>, address: string): Sifted;
  /**
   * Counts the open ids of a request that no unit has. An address that has named too many has only the ids taken that it has
   * sent before. Of others nobody learns whether a unit has them. Ids in the form of random bits neither count nor are
   * withheld: nobody guesses them, and the phones that have them do not suffer from others at their address.
   * @param ids the open ones of the request
   * @param units the ids that units have
   * @param address as `plainAddress` writes it
   * @returns those that are not looked at, because the limit was reached meanwhile
   */
  withhold(
    ids: ReadonlySet<string>,
    units: Pick<ReadonlyMap<string, unknown>, 'has'>,
    address: string,
  ): ReadonlySet<string>;
  /** After how long an address may name others, s. */
  retryAfterS(address: string): number;
}

interface Named {
  readonly ids: Set<string>;
  readonly untilMs: number;
}

/** Makes the count of a port. */
export function createIdGuesses({ clock, log }: Pick<Deps, 'clock' | 'log'>): IdGuesses {
  const unknown = new Cache<string, Named>({
    most: MOST_NETWORKS,
    age: { keepMs: WINDOW_MS, clock },
  });
  const sent = new Cache<string, true>({ most: MOST_SENT });

  function name(id: string, network: string, address: string): void {
    let named = unknown.get(network);
    if (named === undefined) {
      named = { ids: new Set(), untilMs: clock.elapsedMs() + WINDOW_MS };
      unknown.set(network, named);
    }
    if (named.ids.has(id)) return;
    named.ids.add(id);
    if (named.ids.size < MOST_UNKNOWN) return;
    log.warn({ listener: 'osmand', address }, 'an address names too many ids of no unit');
  }

  return {
    sift: (ids, address) => {
      if (ids.size > MOST_IDS) {
        throw new AppError('too_large', `A request names at most ${MOST_IDS} ids.`);
      }
      const network = networkOf(address);
      const named = unknown.get(network);
      const [open, withheld] = [new Set<string>(), new Set<string>()];
      let isFamiliar = false;
      for (const id of ids) {
        const wasUnit = sent.get(pairOf(network, id)) === true;
        isFamiliar ||= wasUnit;
        const isTaken = wasUnit || RANDOM.test(id) || isOpen(named, id);
        (isTaken ? open : withheld).add(id);
      }
      return { open, withheld, isFamiliar };
    },
    withhold: (ids, units, address) => {
      const network = networkOf(address);
      const withheld = new Set<string>();
      for (const id of ids) {
        const isRandom = RANDOM.test(id);
        // Asked anew for each: a request may name the hundredth and one more.
        const isTaken = isRandom || isOpen(unknown.get(network), id);
        const pair = pairOf(network, id);
        if (units.has(id)) {
          if (sent.get(pair) === true) continue;
          if (isTaken) sent.set(pair, true);
        } else if (isTaken && !isRandom) name(id, network, address);
        if (!isTaken) withheld.add(id);
      }
      return withheld;
    },
    retryAfterS: (address) => {
      const nowMs = clock.elapsedMs();
      const { untilMs } = unknown.get(networkOf(address)) ?? { untilMs: nowMs };
      return Math.max(1, Math.ceil((untilMs - nowMs) / 1000));
    },
  };
}

const pairOf = (network: string, id: string): string => `${network} ${id}`;

const isOpen = (named: Named | undefined, id: string): boolean =>
  named === undefined || named.ids.size < MOST_UNKNOWN || named.ids.has(id);
