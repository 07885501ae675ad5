// Processes tell each other which terminals have signed in: the connection that a terminal has lost may look sound to one
// for minutes. No notice is lost for good. One that could not be sent is sent when the database is back, and a process that
// heard nothing for a time asks the others for all of theirs.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import { listen } from '../../core/db/listen.ts';
import type { Deps } from '../../deps.ts';
import type { Arrival, Terminals } from '../jt808/terminals.ts';

/**
 * Channel of the notifications; the payload is the process, and of each terminal its unit and how long ago it signed in, ms:
 * another process may have another clock. `ALL` in the place of terminals asks the others for theirs.
 */
const TERMINALS_CHANNEL = 'signed_in_terminals';
const ALL = 'all';
/** Terminals of a notification, which has room for 8,000 bytes. */
const MOST_TOGETHER = 100;
/** A failed notification is sent again after this time, ms. */
const AGAIN_MS = 5000;

export interface SignInNotices {
  /** Begins to hear those of others, also after a stop. @throws the database's error when it is away */
  start(): Promise<void>;
  /** Tells and hears no more; what is being told is told by `run`. */
  stop(): Promise<void>;
  /** Tells the others. @throws the database's error; then they are told later */
  tell(arrivals: readonly Arrival[]): Promise<void>;
}

/**
 * Makes those of one process.
 * @param terminals learns which terminals are elsewhere
 * @param run keeps an eye on work that nobody waits for
 * @param againMs tests wait for less
 */
export function createSignInNotices(
  deps: Pick<Deps, 'database' | 'clock' | 'log'>,
  terminals: Pick<Terminals, 'arrivals' | 'isElsewhere'>,
  run: (work: Promise<void>) => void,
  againMs = AGAIN_MS,
): SignInNotices {
  const { clock } = deps;
  const { db } = deps.database;
  const ownName = randomUUID();
  /** When terminals signed in of which the others are to be told, ms since 1970 UTC: one a unit, however long that lasts. */
  const untold = new Map<number, number>();
  /** Notices of others were lost. */
  let mustAsk = false;
  let telling: Promise<void> | undefined;
  let again: NodeJS.Timeout | undefined;
  let stopListening: (() => Promise<void>) | undefined;
  let isStopped = false;

  function add(arrivals: readonly Arrival[]): void {
    if (isStopped) return;
    for (const { unitId, atMs } of arrivals) {
      untold.set(unitId, Math.max(atMs, untold.get(unitId) ?? Number.NEGATIVE_INFINITY));
    }
  }

  function takeSome(): Arrival[] {
    const some: Arrival[] = [];
    for (const [unitId, atMs] of untold) {
      if (some.length === MOST_TOGETHER) break;
      some.push({ unitId, atMs });
      untold.delete(unitId);
    }
    return some;
  }

  function tellAll(): Promise<void> {
    telling ??= tellUntold().finally(() => {
      telling = undefined;
      if (isStopped || (untold.size === 0 && !mustAsk)) return;
      again ??= setTimeout(() => {
        again = undefined;
        run(tellAll());
      }, againMs);
    });
    return telling;
  }

  // Sign-ins that come meanwhile are told by the same run.
  async function tellUntold(): Promise<void> {
    while (mustAsk || untold.size > 0) {
      if (mustAsk) await askOthers();
      else await tellSome(takeSome());
    }
  }

  async function askOthers(): Promise<void> {
    mustAsk = false;
    try {
      await db.connection().execute((own) => notify(own, [ALL]));
    } catch (error) {
      mustAsk = !isStopped;
      throw error;
    }
  }

  async function tellSome(arrivals: readonly Arrival[]): Promise<void> {
    try {
      await db.connection().execute((own) => notifyOf(own, arrivals));
    } catch (error) {
      add(arrivals);
      throw error;
    }
  }

  // On a connection that is there already: one is waited for while all terminals sign in, and others would take the wait for
  // a later sign-in.
  async function notifyOf(own: Db, arrivals: readonly Arrival[]): Promise<void> {
    const nowMs = clock.nowMs();
    await notify(
      own,
      arrivals.map(({ unitId, atMs }) => `${unitId} ${nowMs - atMs}`),
    );
  }

  async function notify(own: Db, words: readonly string[]): Promise<void> {
    const payload = [ownName, ...words].join(' ');
    await sql`select pg_notify(${TERMINALS_CHANNEL}, ${payload})`.execute(own);
  }

  function hear(payload: string): void {
    if (payload === '') {
      mustAsk = true;
      run(tellAll());
      return;
    }
    const [process, ...told] = payload.split(' ');
    if (process === ownName) return;
    if (told[0] === ALL) {
      add(terminals.arrivals());
      run(tellAll());
      return;
    }
    const nowMs = clock.nowMs();
    for (let n = 0; n + 1 < told.length; n += 2) {
      terminals.isElsewhere(Number(told[n]), nowMs - Number(told[n + 1]));
    }
  }

  return {
    start: async () => {
      isStopped = false;
      stopListening ??= await listen(deps, TERMINALS_CHANNEL, hear);
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(again);
      [again, mustAsk] = [undefined, false];
      untold.clear();
      await stopListening?.();
      stopListening = undefined;
    },
    tell: async (arrivals) => {
      add(arrivals);
      await tellAll();
    },
  };
}
