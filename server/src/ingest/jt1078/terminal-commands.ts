// Carries out the commands of units whose terminals are signed in here. Each kind of work has its lane, so that a list of
// files that takes a minute delays no live video.
import type { CommandKind } from '@ridewatch/contract/unit-commands';
import { listen } from '../../core/db/listen.ts';
import { AppError, isDatabaseAway } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';
import { COMMANDS_CHANNEL } from '../../fetching/commands.ts';
import type { Arrival, TerminalEvents, Terminals } from '../jt808/terminals.ts';
import { createCameraStates } from './camera-states.ts';
import { createFailedCommands } from './failed-commands.ts';
import { createGreetings } from './greetings.ts';
import { createLiveCommands } from './live-commands.ts';
import { createCommandLooks } from './open-commands.ts';
import { createRecordings } from './recordings.ts';
import { createSignInNotices } from './sign-in-notices.ts';
import { createStoreTerminalRecords } from './terminal-records.ts';
import { createUploads } from './uploads.ts';

/** A notification may be lost, so commands are also looked for, ms. */
const LOOK_EVERY_MS = 5000;
/** Units that a lane serves at the same time; the others wait. */
const MOST_UNITS = 200;

export interface TerminalCommands extends TerminalEvents {
  /** Begins, also after a stop. @throws the database's error when it is away */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** A unit's terminal has signed in. @param atMs ms since 1970 UTC */
  greet(unitId: number, atMs: number): void;
}

/** Makes the delivery of one process. */
export function createTerminalCommands(
  deps: Deps,
  terminals: Pick<Terminals, 'arrivals' | 'ask' | 'has' | 'isElsewhere' | 'unitIds'>,
): TerminalCommands {
  const { log } = deps;
  const working = new Set<Promise<void>>();
  let looking: NodeJS.Timeout | undefined;
  let stopCommands: (() => Promise<void>) | undefined;
  let isStopped = false;
  let isLooking = false;
  /** Notifications were lost: the next look is at all units. */
  let isAllDue = false;
  const storeTold = createStoreTerminalRecords(deps);
  const states = createCameraStates(deps, storeTold, run);
  const recordings = createRecordings(deps, terminals, storeTold);
  const uploads = createUploads(deps, terminals);
  const lanes = [createLiveCommands(deps, terminals, states), recordings, uploads].map((lane) => ({
    ...{ lane, kinds: new Set<CommandKind>(lane.kinds) },
    /** The units that are served, and whether they have to be looked at again. */
    busy: new Map<number, boolean>(),
    waiting: new Set<number>(),
  }));
  const kinds = lanes.flatMap(({ lane }) => lane.kinds);
  const lookForCommands = createCommandLooks(deps, terminals, kinds);
  const failures = createFailedCommands(deps);
  const greetings = createGreetings(greet, run);
  const notices = createSignInNotices(deps, terminals, run);

  function serve(unitId: number, one: (typeof lanes)[number]): void {
    if (isStopped || !terminals.has(unitId)) return;
    const { busy, waiting } = one;
    if (busy.has(unitId)) busy.set(unitId, true);
    else if (busy.size < MOST_UNITS) run(serveUnit(unitId, one));
    else waiting.add(unitId);
  }

  function serveAll(unitId: number): void {
    for (const one of lanes) serve(unitId, one);
  }

  function run(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => {
        // The disk is full, or the unit has just moved: the next look tries again, and `failures` has those that last.
        if (error instanceof AppError || isDatabaseAway(error)) return;
        log.error({ err: error }, 'a command was not carried out');
      })
      .finally(() => working.delete(done));
    working.add(done);
  }

  async function serveUnit(unitId: number, one: (typeof lanes)[number]): Promise<void> {
    const { lane, busy } = one;
    try {
      do {
        busy.set(unitId, false);
        await lane.serve(unitId, () => isStopped);
      } while (busy.get(unitId) === true && !isStopped);
      failures.worked({ unitId, kinds: lane.kinds });
    } catch (error) {
      if (error instanceof AppError) failures.failed({ unitId, kinds: lane.kinds }, error);
      throw error;
    } finally {
      busy.delete(unitId);
      serveWaiting(one);
    }
  }

  function serveWaiting(one: (typeof lanes)[number]): void {
    for (const next of one.waiting) {
      if (one.busy.size >= MOST_UNITS) return;
      one.waiting.delete(next);
      serve(next, one);
    }
  }

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      do await lookOnce();
      while (isAllDue && !isStopped);
    } finally {
      isLooking = false;
    }
  }

  async function lookOnce(): Promise<void> {
    const isAll = isAllDue;
    isAllDue = false;
    const open = await lookForCommands(isAll ? 'all' : undefined).catch((error: unknown) => {
      isAllDue ||= isAll;
      throw error;
    });
    for (const one of lanes) {
      const asked = open.filter(({ kind }) => one.kinds.has(kind)).map(({ unitId }) => unitId);
      const due = (await one.lane.due?.(asked)) ?? asked;
      for (const unitId of new Set(due)) serve(unitId, one);
    }
  }

  // A statement for each step, however many terminals have signed in.
  async function greet(arrivals: readonly Arrival[]): Promise<void> {
    const here = arrivals.map(({ unitId }) => unitId).filter((unitId) => terminals.has(unitId));
    for (const unitId of here) {
      states.signedIn(unitId);
      recordings.greet(unitId);
    }
    await notices.tell(arrivals);
    for (const { unitId, kind } of await lookForCommands(here)) {
      for (const one of lanes) if (one.kinds.has(kind)) serve(unitId, one);
    }
  }

  return {
    heard: (unitId) => {
      if (!isStopped) states.heard(unitId);
    },
    located: (unitId, body, sentMs) => {
      if (!isStopped) states.located(unitId, body, sentMs);
    },
    listedLate: recordings.listedLate,
    uploadEnded: (unitId, serial, result) => {
      if (uploads.ended(unitId, serial, result)) serveAll(unitId);
    },
    start: async () => {
      isStopped = false;
      stopCommands ??= await listen(deps, COMMANDS_CHANNEL, (unitId) => {
        if (unitId === '') {
          isAllDue = true;
          run(look());
        } else serveAll(Number(unitId));
      });
      await notices.start();
      looking ??= setInterval(() => run(look()), LOOK_EVERY_MS);
    },
    stop: async () => {
      isStopped = true;
      clearInterval(looking);
      greetings.clear();
      states.clear();
      await stopCommands?.();
      await notices.stop();
      [looking, stopCommands] = [undefined, undefined];
      await Promise.all(working);
    },
    greet: (unitId, atMs) => {
      if (isStopped) return;
      uploads.signedIn(unitId, atMs);
      greetings.add({ unitId, atMs });
    },
  };
}
