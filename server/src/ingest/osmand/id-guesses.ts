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

/** The ids of a request that are not looked at. */
export interface Withheld {
  readonly ids: ReadonlySet<string>;
  /** After it the address may name others, s. */
  readonly retryAfterS: number;
}

/** The guesses of one port. */
export interface IdGuesses {
  /**
   * Counts the ids of a request that no unit has. An address that has named too many has only the ids taken that it has
   * sent before. Of others nobody learns whether a unit has them. Ids in the form of random bits neither count nor are
   * withheld: nobody guesses them, and the phones that have them do not suffer from others at their address.
   * @param ids of the request
   * @param units the ids that units have
   * @param address as `plainAddress` writes it
   * @throws AppError too_large when a request has too many
   */
  withhold(
    ids: ReadonlySet<string>,
    units: Pick<ReadonlyMap<string, unknown>, 'has'>,
    address: string,
  ): Withheld;
}

/** Makes the count of a port. */
export function createIdGuesses({ clock, log }: Pick<Deps, 'clock' | 'log'>): IdGuesses {
  const unknown = new Cache<string, { readonly ids: Set<string>; readonly untilMs: number }>({
    most: MOST_NETWORKS,
    age: { keepMs: WINDOW_MS, clock },
  });
  const sent = new Cache<string, true>({ most: MOST_SENT });

  return {
    withhold: (ids, units, address) => {
      if (ids.size > MOST_IDS) {
        throw new AppError('too_large', `A request names at most ${MOST_IDS} ids.`);
      }
      const network = networkOf(address);
      const nowMs = clock.elapsedMs();
      let named = unknown.get(network);
      const name = (id: string): void => {
        if (named === undefined) {
          named = { ids: new Set(), untilMs: nowMs + WINDOW_MS };
          unknown.set(network, named);
        }
        if (named.ids.has(id)) return;
        named.ids.add(id);
        if (named.ids.size < MOST_UNKNOWN) return;
        log.warn({ listener: 'osmand', address }, 'an address names too many ids of no unit');
      };
      const isTaken = (id: string): boolean => {
        if (RANDOM.test(id)) return true;
        const isOpen = named === undefined || named.ids.size < MOST_UNKNOWN || named.ids.has(id);
        if (!units.has(id)) {
          if (isOpen) name(id);
          return isOpen;
        }
        const pair = `${network} ${id}`;
        if (sent.get(pair) === true) return true;
        if (isOpen) sent.set(pair, true);
        return isOpen;
      };
      const withheld = new Set([...ids].filter((id) => !isTaken(id)));
      const waitMs = (named?.untilMs ?? nowMs) - nowMs;
      return { ids: withheld, retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)) };
    },
  };
}
