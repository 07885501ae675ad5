// Asks the product the whole time what screens and probes ask, and writes down every answer: what failed and how, how
// long the longest one took, and when all was well again after a fault.
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn } from '../../harness/product.ts';

/** The addresses that are asked, with a user's token or without. */
const PATHS = ['/readyz', '/api/bus_list', '/api/auth/me', '/api/news/active-messages'];
/** Pause between two questions of one kind, ms. */
const PAUSE_MS = 200;
/** Longer than this no call may take, ms; and when the question is given up. */
const CALL_LIMIT_MS = 10_000;
const GIVE_UP_MS = 30_000;
/** All is well when nothing has failed for so long, ms. */
const QUIET_MS = 2000;
/** Longest wait until all is well, ms. */
const RECOVERY_LIMIT_MS = 180_000;

export interface Probe {
  /** How often each kind of failure came: `503 unavailable`, `no answer`. */
  readonly failures: Readonly<Record<string, number>>;
  readonly answered: number;
  /** Calls that took longer than 10 s, whatever the answer. */
  readonly tooLong: number;
  readonly longestMs: number;
  /** Writes down what another kind of call came to; 0: no answer. @param sinceMs when it set out, as of `performance` */
  note(kind: string, status: number, code: string, sinceMs: number): void;
  /** A fault begins: only calls that set out from now on say how the product is. */
  mark(): void;
  /**
   * Waits until every kind of call is answered again.
   * @param overMs the moment from which recovery is counted, as of `performance`
   * @returns seconds until the first call that was answered, after the last that was not
   */
  untilWell(overMs: number): Promise<number>;
  /** Starts a new count. */
  reset(): void;
  stop(): Promise<void>;
}

interface Seen {
  failedMs: number;
  /** When the first call after the last failure was answered. */
  wellMs: number | undefined;
}

/** Starts asking. */
export function startProbe(url: string): Probe {
  const seen = new Map<string, Seen>();
  const stopping = new AbortController();
  let failures: Record<string, number> = {};
  let answered = 0;
  let tooLong = 0;
  let longestMs = 0;

  const note: Probe['note'] = (kind, status, code, sinceMs) => {
    const nowMs = performance.now();
    const known = seen.get(kind) ?? { failedMs: 0, wellMs: undefined };
    seen.set(kind, known);
    longestMs = Math.max(longestMs, nowMs - sinceMs);
    if (nowMs - sinceMs > CALL_LIMIT_MS) tooLong += 1;
    if (status === 200) {
      answered += 1;
      // One that set out before the failure says nothing of what is now.
      if (sinceMs >= known.failedMs) known.wellMs ??= nowMs;
      return;
    }
    const name = `${status === 0 ? 'no answer' : status} ${code}`.trim();
    failures[name] = (failures[name] ?? 0) + 1;
    known.failedMs = nowMs;
    known.wellMs = undefined;
  };

  let token = '';
  const askOne = async (path: string): Promise<void> => {
    const sinceMs = performance.now();
    try {
      const headers = { authorization: `Bearer ${token}` };
      const signal = AbortSignal.timeout(GIVE_UP_MS);
      const answer = await fetch(url + path, { headers, signal });
      const body = await answer.text();
      if (answer.status === 401) token = await signIn(url, 'admin').catch(() => '');
      else note(path, answer.status, answer.ok ? '' : codeOf(body), sinceMs);
    } catch {
      note(path, 0, '', sinceMs);
    }
  };
  const asking = PATHS.map(async (path) => {
    while (!stopping.signal.aborted) {
      await askOne(path);
      await sleep(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  });

  return {
    get failures() {
      return failures;
    },
    get answered() {
      return answered;
    },
    get tooLong() {
      return tooLong;
    },
    get longestMs() {
      return longestMs;
    },
    note,
    mark: () => {
      const failedMs = performance.now();
      for (const one of seen.values()) Object.assign(one, { failedMs, wellMs: undefined });
    },
    untilWell: async (overMs) => {
      const endMs = performance.now() + RECOVERY_LIMIT_MS;
      while (performance.now() < endMs) {
        await sleep(PAUSE_MS / 2);
        const all = [...seen.values()];
        const quietMs = performance.now() - Math.max(...all.map(({ failedMs }) => failedMs));
        if (quietMs < QUIET_MS || all.some(({ wellMs }) => wellMs === undefined)) continue;
        return Math.max(0, ...all.map(({ wellMs = 0 }) => wellMs - overMs)) / 1000;
      }
      const bad = [...seen].filter(([, { wellMs }]) => wellMs === undefined).map(([kind]) => kind);
      throw new Error(`not well ${RECOVERY_LIMIT_MS / 1000} s after the fault: ${bad.join(', ')}`);
    },
    reset: () => {
      failures = {};
      answered = 0;
      tooLong = 0;
      longestMs = 0;
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(asking);
    },
  };
}

function codeOf(body: string): string {
  try {
    return String((JSON.parse(body) as { error?: unknown }).error ?? '');
  } catch {
    return '';
  }
}
