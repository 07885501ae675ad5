// Sends to one upstream until it is stopped: connects, signs in, and sends what waits. An upstream that does not answer, or
// that breaks the connection at one of the records, holds up nobody but itself.
import { setTimeout as pause } from 'node:timers/promises';
import { RESULT, SERVICE } from '../ingest/egts/codes.ts';
import { isAnyDue } from './due-rows.ts';
import { openUpstreamLink, type UpstreamLink } from './link.ts';
import { waitForTry } from './next-try.ts';
import {
  askInTime,
  connectionOf,
  MOST_ON_THE_WAY,
  noteFailed,
  type SenderDeps,
  type SenderTimes,
  type Sending,
  type SentUpstream,
  sayDatabaseWorks,
  sayWorks,
  sendAll,
} from './send-all.ts';
import { type Fault, noteClosed, noteConnected, noteWorks, putOff } from './settle.ts';
import { dispatcherSubrecord, terminalSubrecord } from './subrecords.ts';

/** After a connection broke with records on the way, so many rows go one by one: a row may be what breaks it. */
const CAREFUL_ROWS = MOST_ON_THE_WAY;

/** A connection that stood for less breaks by a fault, even if nothing was to be sent, ms. */
const SHORT_MS = 1000;

/**
 * The times of the standard (GOST 33472-2015): 5 s for an answer, 30 s until a new connection. A connection works when it
 * has stood for longer than three answers may take.
 */
export const SENDER_TIMES: SenderTimes = {
  ...{ connectMs: 10_000, answerMs: 5000, pollMs: 1000, worksMs: 20_000 },
  ...{ reconnectMs: 30_000, longestReconnectMs: 300_000, putOffMs: 120_000 },
  ...{ leastWaitMs: 5000, askAgainMs: 600_000 },
};

/**
 * Starts to send.
 * @param lease the holder of the upstream, and whether its lease still lasts; without it nothing is sent, nor noted
 * @returns stops it, and resolves when its connection is closed
 */
export function startSender(
  deps: SenderDeps,
  upstream: SentUpstream,
  { holder, isHeld }: { readonly holder: string; readonly isHeld: () => boolean },
  times: SenderTimes,
): () => Promise<void> {
  const ending = new AbortController();
  const { signal } = ending;
  const held = { upstreamId: upstream.id, holder };
  const sending: Sending = {
    ...{ deps, upstream, held, isHeld, times, signal, alone: new Set(), careful: 0, nextAskMs: 0 },
    manner: { comeApart: undefined, cuts: 0 },
  };
  const running = run(sending);
  return () => {
    ending.abort();
    return running;
  };
}

async function run(sending: Sending): Promise<void> {
  const { held, times, signal } = sending;
  const { faults } = sending.deps;
  let waitMs = times.reconnectMs;
  while (!signal.aborted) {
    const { fault, wasUseful, wasSilent } = await connectAndSend(sending);
    if (wasUseful || wasSilent) waitMs = times.reconnectMs;
    let noted: number | null = null;
    try {
      noted = await noteEnd(sending, wasSilent ? undefined : fault, wasSilent ? null : waitMs);
      sayDatabaseWorks(sending);
    } catch (error) {
      noteFailed(sending, error, 'the state of an upstream was not noted');
    }
    if (wasSilent) {
      sayWorks(sending);
      await waitForDue(sending);
      continue;
    }
    if (!signal.aborted && fault !== undefined) {
      const fields = { ...held, ...fault, code: fault.code };
      const cause = `${fault.fault} ${fault.code}`;
      const text = 'an upstream is not connected';
      faults.fail(connectionOf(held.upstreamId), cause, fields, text);
    }
    const wasAsked = await waitForTry(sending, waitMs, noted);
    waitMs = wasAsked ? times.reconnectMs : Math.min(waitMs * 2, times.longestReconnectMs);
  }
}

// Returns the noted moment of the next try, ms since 1970 UTC; null: there is none.
async function noteEnd(
  { deps, held }: Sending,
  fault: Fault | undefined,
  waitMs: number | null,
): Promise<number | null> {
  const nowMs = deps.clock.nowMs();
  const nextTryMs = waitMs === null ? null : nowMs + waitMs;
  await noteClosed(deps.database.db, held, fault, nowMs, nextTryMs);
  if (waitMs === null) await noteWorks(deps.database.db, held);
  return nextTryMs;
}

// An upstream that closes silent connections is connected again once there is something to send. Without the database nothing
// can be sent, and the connection waits as after a fault.
async function waitForDue(sending: Sending): Promise<void> {
  const { deps, upstream, times, signal } = sending;
  while (!signal.aborted) {
    try {
      await askInTime(sending);
      const isAny = await isAnyDue(deps.database.db, upstream.id);
      sayDatabaseWorks(sending);
      if (isAny) return;
    } catch (error) {
      noteFailed(sending, error, 'a queue was not read');
      await pause(times.reconnectMs, undefined, { signal }).catch(() => undefined);
    }
    await pause(times.pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/** The end of a connection: its reason, whether anything was answered, and whether nothing was on the way. */
interface Ended {
  readonly fault: Fault | undefined;
  readonly wasUseful: boolean;
  /** The upstream closed it while nothing was to be sent: that is no fault. */
  readonly wasSilent: boolean;
}

async function connectAndSend(sending: Sending): Promise<Ended> {
  const { deps, upstream, held, times, signal } = sending;
  const link = openUpstreamLink(upstream, times, sending.manner, sending.isHeld);
  const close = () => link.close();
  signal.addEventListener('abort', close);
  if (signal.aborted) close();
  const onTheWay = new Set<number>();
  sending.alone.clear();
  let wasUseful = false;
  let signedInMs = Number.POSITIVE_INFINITY;
  try {
    if (!(await link.opened)) return { ...FAILED, fault: await link.closed };
    const refusal = await signIn(link, upstream, times.answerMs);
    if (refusal !== undefined) {
      return { ...FAILED, fault: { fault: 'sign_in_refused', code: refusal } };
    }
    signedInMs = deps.clock.elapsedMs();
    await noteConnected(deps.database.db, held, deps.clock.nowMs());
    await sendAll(sending, link, onTheWay, () => {
      wasUseful = true;
    });
  } catch (error) {
    noteFailed(sending, error, 'sending to an upstream was interrupted');
  } finally {
    signal.removeEventListener('abort', close);
    link.close();
  }
  const fault = await link.closed;
  if (fault !== undefined) await noteBreak(sending, [...onTheWay]);
  const stoodMs = deps.clock.elapsedMs() - signedInMs;
  const wasSilent = fault?.fault === 'closed' && onTheWay.size === 0 && stoodMs >= SHORT_MS;
  return { fault, wasUseful, wasSilent };
}

const FAILED = { wasUseful: false, wasSilent: false } as const;

// A row that was on its way alone is put off, so that the others go on.
async function noteBreak(sending: Sending, ids: readonly number[]): Promise<void> {
  const { deps, held, times } = sending;
  const [only] = ids;
  if (only === undefined) return;
  const wasAlone = sending.careful > 0 && ids.length === 1;
  if (!wasAlone) {
    sending.careful = CAREFUL_ROWS;
    return;
  }
  try {
    await putOff(deps.database.db, held, only, times.putOffMs);
  } catch (error) {
    noteFailed(sending, error, 'a row was not put off');
  }
}

/** Signs in. @returns the code of a refusal; undefined: the upstream takes records @throws Error when it does not answer */
async function signIn(
  link: UpstreamLink,
  { signIn: way, signInId, signInText }: SentUpstream,
  withinMs: number,
): Promise<number | undefined> {
  if (way === 'none' || signInId === null) return undefined;
  const own =
    way === 'dispatcher'
      ? dispatcherSubrecord(signInId, signInText ?? '')
      : terminalSubrecord(signInId);
  const { records } = await link.send([{ service: SERVICE.auth, subrecords: [own] }]);
  const refused = records.find((code) => code !== RESULT.ok);
  if (refused !== undefined) return refused;
  // Many systems say no result of their own after the confirmation.
  const result = await link.signInResult(withinMs);
  return result === RESULT.ok ? undefined : result;
}
