// Stores the elements of a request, and names those that it refuses. A request is answered as stored although some of its
// elements never can be: a phone that is not answered so keeps all that comes after it.
import type { Socket } from 'node:net';
import { OsmandSettings } from '@ridewatch/contract/unit-protocols';
import { AppError } from '../../core/errors.ts';
import { noteRefused } from '../../core/refused-senders.ts';
import { storableOf } from '../../core/storable.ts';
import type { Deps } from '../../deps.ts';
import { createAddressCheck, plainAddress } from '../by-id/addresses.ts';
import { createKnocks } from '../by-id/knocks.ts';
import { createTakeTold, type Fate } from '../by-id/take-told.ts';
import type { NoteOutcome, Told } from '../by-id/told.ts';
import { createUnitFinder } from '../by-id/units.ts';
import { recordStoreOf } from '../store/record-store.ts';
import {
  type Element,
  ID_NAMES,
  idFieldOf,
  MOST_RECORDS,
  type OsmandBody,
  type OsmandParts,
  readElements,
  tooMany,
} from './elements.ts';
import { createIdGuesses } from './id-guesses.ts';
import { createInHand } from './in-hand.ts';
import { type Fault, isFault, type OsmandMoment, readId, readMoment } from './moments.ts';
import { recordsOf } from './unit-records.ts';

/** Senders wait at least 15 s for an answer; one that waits longer for its turn sends again, ms. */
const LONGEST_WAIT_MS = 5000;
/** Requests of a port that a process has in hand at the same time; each holds up to 64 KiB. */
const MOST_AT_ONCE = 1000;
/**
 * Requests of no unit whose ids are noted for administrators at the same time: that takes rounds of the process. Ids of others
 * are noted when they come again.
 */
const MOST_NOTED = 50;
/** Kept of an element whose time is impossible, UTF-16 units. */
const MOST_RAW = 4096;

/** Why an element that was read is not stored, and never will be. */
const REFUSALS: { readonly [F in Extract<Fate, 'other_content' | 'no_room'>]: Fault } = {
  other_content: { field: 'timestamp', message: 'was sent before with other content' },
  no_room: { field: 'timestamp', message: 'is in five minutes that are full' },
};

/** An element that will never be stored, by its place in the request, from 0. */
export type Refused = Fault & { readonly index: number };

/** The receiver of one port that takes the OsmAnd form. */
export interface Osmand {
  /** To be called before a body is read. @throws AppError no_right when nothing is taken from the address */
  checkAddress(address: string): void;
  /**
   * Stores a request.
   * @param socket its connection: if that ends before its units are found, nothing of it is stored
   * @returns its elements that are not stored and never will be; the rest is, by this request or an earlier one
   * @throws AppError invalid_request of a request of which nothing can be read, of an id that no unit has in the query
   *   form; not_found of one in JSON; too_large; too_many_attempts of ids from an address that has named too many that no
   *   unit has; Busy when too many are in hand; unavailable when it was not stored; request_timeout when its connection
   *   has ended; or the database's error
   */
  take(request: OsmandBody, address: string, socket: Socket): Promise<readonly Refused[]>;
  /** Ends it, when no request is left. */
  close(): Promise<void>;
}

/** Where a request comes from, and when. */
interface Arrival {
  readonly address: string;
  readonly socket: Socket;
  readonly receivedMs: number;
}

/** An element with an id. */
type Named = Told<OsmandSettings, 'unreadable'> & {
  readonly index: number;
  readonly ids: readonly [string];
};

type Read = { readonly element: Element; readonly moment: OsmandMoment | Fault | null };

/**
 * Makes the receiver of one port.
 * @param mostAtOnce tests have fewer requests
 */
export function createOsmand(deps: Deps, mostAtOnce = MOST_AT_ONCE): Osmand {
  const { clock, log, metrics } = deps;
  const isAllowed = createAddressCheck(deps.config.osmandFrom);
  const inHand = createInHand(mostAtOnce);
  /** Requests of no unit whose ids are being noted. */
  let noted = 0;
  const knocks = createKnocks(deps, 'osmand');
  const guesses = createIdGuesses(deps);
  // It remembers ids for three seconds: a request looks them up twice, and reads the database once.
  const findUnits = createUnitFinder(deps, 'osmand', (stored) => OsmandSettings.parse(stored));
  const takeTold = createTakeTold<OsmandSettings, 'unreadable'>({
    ...{ metrics, log, knocks, findUnits, store: recordStoreOf(deps) },
    ...{ standard: OsmandSettings.parse({}), waitMs: LONGEST_WAIT_MS },
  });
  return {
    checkAddress: (address) => {
      if (isAllowed(address)) return;
      noteRefused(deps, 'osmand', plainAddress(address));
      throw new AppError('no_right', 'This address may not send.');
    },
    take: (request, address, socket) => take(request, plainAddress(address), socket),
    close: () => knocks.close(),
  };

  async function take(
    request: OsmandBody,
    address: string,
    socket: Socket,
  ): Promise<readonly Refused[]> {
    const receivedMs = clock.nowMs();
    const parts = readElements(request);
    const read = parts.elements.map((element): Read => {
      return { element, moment: readMoment(element) };
    });
    if (read.reduce((sum, { moment }) => sum + recordCount(moment), 0) > MOST_RECORDS) {
      throw tooMany();
    }
    const faults = new Map<number, Fault>();
    const named = read.flatMap(({ element, moment }, index) => {
      const id = readId(element);
      const fault = [id, moment].find(isFault);
      if (fault !== undefined) faults.set(index, fault);
      if (isFault(id)) return [];
      const raw = (): string => rawOf(element);
      const read = (own: OsmandSettings, note: NoteOutcome) => records(moment, own, note);
      return [{ index, ids: [id] as const, raw, read }];
    });
    const { told, fates, isWithheld } = await takeNamed(named, { address, socket, receivedMs });
    // An administrator makes room among what is kept aside, so the sender keeps its element.
    if (fates.includes(undefined) || fates.includes('aside_full')) {
      throw new AppError('unavailable', 'The records could not be stored now.');
    }
    if (isWithheld) throw tooManyIds(guesses.retryAfterS(address));
    const unknown = told.find((_, n) => fates[n] === 'unknown_unit');
    if (unknown !== undefined) throw unknownId(parts, unknown.index);
    const [first = { field: 'id', message: 'is missing' }] = faults.values();
    if (faults.size === read.length) {
      throw new AppError('invalid_request', first.message, { field: first.field });
    }
    for (const [n, fate] of fates.entries()) {
      const index = told[n]?.index ?? 0;
      if (!isRefusal(fate)) continue;
      const path = read[index]?.element.fields.get('timestamp')?.path;
      faults.set(index, { ...REFUSALS[fate], ...(path !== undefined && { field: path }) });
    }
    return [...faults]
      .map(([index, fault]) => ({ index, ...fault }))
      .sort((a, b) => a.index - b.index);
  }

  // Stores what the elements tell that are not withheld.
  async function takeNamed(named: readonly Named[], { address, socket, receivedMs }: Arrival) {
    const ids = new Set(named.map(({ ids: [id] }) => id));
    const { open, withheld, isFamiliar } = guesses.sift(ids, address);
    // A guess beyond the limit takes no place, and asks the database nothing.
    if (open.size === 0 && withheld.size > 0) return { told: [], fates: [], isWithheld: true };
    const held = inHand.take(address, socket);
    try {
      if (isFamiliar) held.keep();
      const units = await findUnits([...open], held.signal);
      if (units.size > 0) held.keep();
      const late = guesses.withhold(open, units, address);
      const told = named.filter(({ ids: [id] }) => open.has(id) && !late.has(id));
      const fates = await (units.size > 0
        ? takeTold(told, address, receivedMs)
        : noteStrangers(told, address, receivedMs));
      return { told, fates, isWithheld: withheld.size + late.size > 0 };
    } finally {
      held.leave();
    }
  }

  async function noteStrangers(...[told, ...more]: Parameters<typeof takeTold>) {
    if (noted >= MOST_NOTED) return told.map(() => 'unknown_unit' as const);
    noted += 1;
    try {
      return await takeTold(told, ...more);
    } finally {
      noted -= 1;
    }
  }

  function records(moment: Read['moment'], settings: OsmandSettings, note: NoteOutcome) {
    if (isFault(moment)) return 'unreadable';
    if (moment?.position?.isMock) note('position', 'mock');
    return moment === null ? [] : recordsOf(moment, settings);
  }
}

function isRefusal(fate: string | undefined): fate is keyof typeof REFUSALS {
  return fate !== undefined && Object.hasOwn(REFUSALS, fate);
}

function recordCount(moment: Read['moment']): number {
  if (moment === null || isFault(moment)) return 0;
  const { position, counts } = moment;
  return (position === null ? 0 : 1) + (counts?.entered ? 1 : 0) + (counts?.exited ? 1 : 0);
}

const tooManyIds = (retryAfterS: number): AppError =>
  new AppError('too_many_attempts', 'This address has named too many ids of no unit.', {
    retryAfterS,
  });

// The answers that senders of each form know.
function unknownId({ form, elements }: OsmandParts, index: number): AppError {
  const element = elements[index];
  const field = element && idFieldOf(element)?.path;
  const named = field === undefined ? {} : { field };
  return new AppError(
    form === 'json' ? 'not_found' : 'invalid_request',
    'belongs to no unit',
    named,
  );
}

// Without the id, which is as good as a password.
function rawOf({ fields }: Element): string {
  const own = [...fields].filter(([name]) => !ID_NAMES.some((id) => id === name));
  const values = own.map(([name, { text }]) => [name, text]);
  return storableOf(JSON.stringify(Object.fromEntries(values)), MOST_RAW);
}
