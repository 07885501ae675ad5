// The load of a fleet that speaks EGTS. A process of its own, so that its CPU time does not count as the server's.
import { framesOf, signInFrame, VARIANTS, type Work } from './egts-frames.ts';
import { openSender, type Sender } from './egts-sender.ts';

/** The process gets this for each round; then it opens the connections, and says when all have signed in. */
export interface EgtsLoad {
  readonly port: number;
  /** The numbers by which the units sign in. */
  readonly objects: readonly number[];
  readonly work: Work;
  /** Packets of a unit without an answer at one time. */
  readonly window: number;
}

/** Then it gets this, and begins to send. */
export interface EgtsPace {
  /** Packets a second of all together; undefined: as fast as they are confirmed. */
  readonly framesPerS: number | undefined;
}

/** In the end it says this, and closes the connections. Asked by 'report' it says so meanwhile. */
export interface EgtsReport {
  readonly isDone: boolean;
  readonly tookMs: number;
  readonly frames: number;
  readonly resent: number;
  /** From when a packet should have been sent to its confirmation, since the last report, ms. */
  readonly confirmedMs: Float64Array;
  readonly failures: readonly string[];
  readonly cpuS: number;
}

const LOOK_MS = 500;
const PACE_MS = 5;
/** Connections that are being opened at the same time. */
const OPENED_AT_ONCE = 200;
const MOST_FAILURES = 20;
const MOST_TIMES = 4_000_000;

let senders: Sender[] = [];
let frames: Buffer[][] = [];
let times: number[] = [];
const failures = new Set<string>();
let startMs = 0;
let cpuBefore = process.cpuUsage();
let total = 0;
let confirmed = 0;
let end: ReturnType<typeof setTimeout>[] = [];

process.on('message', (message: EgtsLoad | EgtsPace | 'report') => {
  if (message === 'report') tell(false);
  else if ('port' in message) void open(message);
  else go(message);
});
process.on('disconnect', () => process.exit(0));

async function open({ port, objects, work, window }: EgtsLoad): Promise<void> {
  [senders, times, confirmed] = [[], [], 0];
  failures.clear();
  frames = Array.from({ length: VARIANTS }, (_, variant) => framesOf(work, variant));
  for (let from = 0; from < objects.length; from += OPENED_AT_ONCE) {
    const some = objects.slice(from, from + OPENED_AT_ONCE).map((object, n) =>
      openSender({
        ...{ port, window, signIn: signInFrame(object) },
        frames: frames[(from + n) % VARIANTS] ?? [],
        onConfirmed: (ms) => {
          confirmed += 1;
          if (times.length < MOST_TIMES) times.push(ms);
          if (confirmed === total) finish();
        },
        onFailure: (what) => void (failures.size < MOST_FAILURES && failures.add(what)),
      }),
    );
    senders.push(...some);
    await Promise.all(some.map(({ ready }) => ready));
  }
  total = senders.reduce((sum, _, n) => sum + (frames[n % VARIANTS]?.length ?? 0), 0);
  process.send?.('ready');
}

function go({ framesPerS }: EgtsPace): void {
  startMs = performance.now();
  cpuBefore = process.cpuUsage();
  const looking = setInterval(() => {
    for (const sender of senders) sender.look(performance.now());
  }, LOOK_MS);
  end = [looking];
  if (framesPerS === undefined) {
    for (const sender of senders) sender.allow(Number.POSITIVE_INFINITY, startMs);
    return;
  }
  let allowed = 0;
  const pacing = setInterval(() => {
    const nowMs = performance.now();
    const due = Math.min(total, Math.floor(((nowMs - startMs) / 1000) * framesPerS));
    for (; allowed < due; allowed += 1) {
      // In turn, each one packet.
      const turn = Math.floor(allowed / senders.length);
      senders[allowed % senders.length]?.allow(turn + 1, startMs + (allowed / framesPerS) * 1000);
    }
  }, PACE_MS);
  end.push(pacing);
}

function finish(): void {
  for (const timer of end) clearTimeout(timer);
  tell(true);
  for (const sender of senders) sender.close();
}

function tell(isDone: boolean): void {
  const { user, system } = process.cpuUsage(cpuBefore);
  const report: EgtsReport = {
    isDone,
    tookMs: performance.now() - startMs,
    frames: confirmed,
    resent: senders.reduce((sum, sender) => sum + sender.resent(), 0),
    confirmedMs: Float64Array.from(times),
    failures: [...failures],
    cpuS: (user + system) / 1e6,
  };
  times = [];
  process.send?.(report);
}
