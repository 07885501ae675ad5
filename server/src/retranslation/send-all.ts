// Sends what waits for an upstream over one connection, a bounded number of packets at the same time.
import type { UpstreamSignIn } from '@ridewatch/contract/admin-upstreams';
import { reasonOf } from '../core/errors.ts';
import type { FaultLog } from '../core/fault-log.ts';
import type { Deps } from '../deps.ts';
import { type DueRow, readDue } from './due-rows.ts';
import { LinkClosed, type LinkTimes, type ResultManner, type UpstreamLink } from './link.ts';
import { haveRoom, outcomeOf, packetsOf, recordsOf, TOO_LONG } from './row-records.ts';
import { type Held, NOTHING, noteWorks, type Outcome, settle } from './settle.ts';
import { type TurnOf, type Turns, takeTurns } from './turns.ts';
import { askAgain } from './unregistered.ts';

/** Packets that wait for their answer at the same time, and rows that are read for each. */
const WINDOW = 4;
const ROWS = 64;
/** Most rows on their way. */
export const MOST_ON_THE_WAY = WINDOW * ROWS;

/** Times of sending, ms. */
export interface SenderTimes extends LinkTimes {
  /** How often the queue is looked at. */
  readonly pollMs: number;
  /** A connection works when it has stood for this long and nothing waits for an answer. */
  readonly worksMs: number;
  /** The first and the longest wait for a new connection; it doubles. */
  readonly reconnectMs: number;
  readonly longestReconnectMs: number;
  /** The least wait for a new connection when an administrator asks for it. */
  readonly leastWaitMs: number;
  /** How long a row waits at which the connection broke. */
  readonly putOffMs: number;
  /** How often the upstream is asked whether it knows a bus by now. */
  readonly askAgainMs: number;
}

/** An upstream as its sender needs it. */
export interface SentUpstream {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  readonly signIn: UpstreamSignIn;
  readonly signInId: number | null;
  readonly signInText: string | null;
  readonly allClients: boolean;
  readonly withPeople: boolean;
}

export type SenderDeps = Pick<Deps, 'database' | 'clock' | 'metrics'> & {
  /** Log lines of connections, and of the database. */
  readonly faults: FaultLog;
};

/** The state of a sender beyond its connections. */
export interface Sending {
  readonly deps: SenderDeps;
  readonly upstream: SentUpstream;
  readonly held: Held;
  /** Whether the lease of the upstream still lasts. */
  readonly isHeld: () => boolean;
  readonly times: SenderTimes;
  readonly signal: AbortSignal;
  readonly manner: ResultManner;
  /** Rows of packets that were refused as a whole. */
  readonly alone: Set<number>;
  /** So many rows still go one by one. */
  careful: number;
  /** When buses that the upstream does not know are asked for again, ms of the clock that only grows. */
  nextAskMs: number;
}

/** The subject of log lines about the connection of an upstream. */
export const connectionOf = (upstreamId: number): string => `connection ${upstreamId}`;

/**
 * Writes that the database has failed. The end of a connection is no news: it has a line of its own.
 * @param text what was not done
 */
export function noteFailed({ deps, held }: Sending, error: unknown, text: string): void {
  if (error instanceof LinkClosed) return;
  deps.faults.fail(`database ${held.upstreamId}`, text, { ...held, reason: reasonOf(error) }, text);
}

/** Writes that the upstream takes records again, if it was said to be away. */
export function sayWorks({ deps, held }: Sending): void {
  deps.faults.work(connectionOf(held.upstreamId), held, 'an upstream works again');
}

/** Writes that the database answers again, if it was said to have failed. */
export function sayDatabaseWorks({ deps, held }: Sending): void {
  deps.faults.work(`database ${held.upstreamId}`, held, 'the database answers a sender again');
}

/** Asks for unknown buses again when it is time. @throws the database's error */
export async function askInTime(sending: Sending): Promise<void> {
  const { deps, held, times } = sending;
  const elapsedMs = deps.clock.elapsedMs();
  if (elapsedMs < sending.nextAskMs) return;
  sending.nextAskMs = elapsedMs + times.askAgainMs;
  await askAgain(deps.database.db, held, deps.clock.nowMs());
}

/**
 * Sends until the connection ends.
 * @param onTheWay has the ids of rows that are not answered yet, also at the end
 * @param onAnswer is called for each answered packet
 * @throws the database's error
 */
export async function sendAll(
  sending: Sending,
  link: UpstreamLink,
  onTheWay: Set<number>,
  onAnswer: () => void,
): Promise<void> {
  const { deps, upstream, times } = sending;
  const openedMs = deps.clock.elapsedMs();
  let packets = 0;
  let isOver = false;
  let works = false;
  let wake = Promise.withResolvers<void>();
  void link.closed.then(() => {
    isOver = true;
    wake.resolve();
  });

  const start = (read: readonly DueRow[], { turnOf, moved }: Turns): void => {
    const rows = read.filter(({ id }) => !moved.has(id));
    if (rows.length === 0) return;
    packets += 1;
    // It fails with the connection, whose end is seen, and with the database, without which nothing can be sent.
    sendPacket(sending, link, onTheWay, { rows, turnOf }, onAnswer)
      .catch((error: unknown) => {
        noteFailed(sending, error, 'a packet was not settled');
        link.close();
      })
      .finally(() => {
        packets -= 1;
        wake.resolve();
      });
  };

  while (!isOver) {
    wake = Promise.withResolvers();
    const isCareful = sending.careful > 0;
    const window = isCareful ? 1 : WINDOW;
    if (packets < window) {
      await askInTime(sending);
      const due = await readDue(deps.database.db, {
        ...{ upstreamId: upstream.id, allClients: upstream.allClients },
        ...{ withPeople: upstream.withPeople, sending: [...onTheWay] },
        most: isCareful ? 1 : (window - packets) * ROWS,
      });
      sayDatabaseWorks(sending);
      if (due.unwanted.length + due.unnumbered.length > 0) {
        await note(sending, link, {
          ...NOTHING,
          done: due.unwanted.map(({ id }) => ({ id, confirmed: 0 })),
          unregistered: due.unnumbered,
          nextBuses: due.unwanted.filter(({ hasAsked }) => hasAsked).map(({ busId }) => busId),
        });
        // Others may stand behind them.
        if (due.rows.length === 0) continue;
      }
      const groups = packetsOf(due.rows, sending.alone).slice(0, window - packets);
      const turns = await takeTurns(
        deps.database.db,
        sending.held,
        groups.flat(),
        deps.clock.nowMs(),
      );
      if (turns === undefined) link.close();
      // A connection that has ended meanwhile gets nothing: no row has to do with its end.
      else if (link.isOpen()) for (const rows of groups) start(rows, turns);
    }
    if (!works && packets === 0 && deps.clock.elapsedMs() - openedMs >= times.worksMs) {
      works = true;
      await noteWorks(deps.database.db, sending.held);
      sayWorks(sending);
    }
    // A full window waits for an answer; otherwise new rows may come, too.
    const timer = packets < window ? setTimeout(wake.resolve, times.pollMs) : undefined;
    await wake.promise;
    clearTimeout(timer);
  }
}

async function sendPacket(
  sending: Sending,
  link: UpstreamLink,
  onTheWay: Set<number>,
  { rows, turnOf }: { readonly rows: readonly DueRow[]; readonly turnOf: TurnOf },
  onAnswer: () => void,
): Promise<void> {
  for (const { id } of rows) onTheWay.add(id);
  const records = rows.flatMap((row) => recordsOf(row, turnOf));
  const answer = haveRoom(records)
    ? await link.send(records)
    : { ...TOO_LONG, records: records.map(() => TOO_LONG.result) };
  onAnswer();
  sayWorks(sending);
  sending.careful = Math.max(0, sending.careful - rows.length);
  const outcome = outcomeOf(rows, answer);
  if (outcome === null) {
    for (const { id } of rows) sending.alone.add(id);
  } else {
    await note(sending, link, outcome);
    for (const { id } of rows) sending.alone.delete(id);
  }
  for (const { id } of rows) onTheWay.delete(id);
}

// A process that has lost the upstream stops at once.
async function note(sending: Sending, link: UpstreamLink, outcome: Outcome): Promise<void> {
  const { deps, held } = sending;
  if (!(await settle(deps.database.db, held, outcome, deps.clock.nowMs()))) {
    link.close();
    return;
  }
  const counted = (kind: string) => deps.metrics.upstreamRecords.labels(`${held.upstreamId}`, kind);
  counted('confirmed').inc(outcome.done.reduce((sum, { confirmed }) => sum + confirmed, 0));
  counted('refused').inc(outcome.refused.length);
}
