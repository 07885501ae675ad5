// Carries out the commands of units whose terminals are signed in here. Each kind of work has its lane, so that a list of
// files that takes a minute delays no live video.
import { randomUUID } from 'node:crypto';
import type { CommandKind } from '@ridewatch/contract/unit-commands';
import { sql } from 'kysely';
import { listen } from '../../core/db/listen.ts';
import { AppError, isDatabaseAway } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';
import { COMMANDS_CHANNEL } from '../../fetching/commands.ts';
import { DEPOT_WAIT_MS } from '../../fetching/waits.ts';
import type { TerminalEvents, Terminals } from '../jt808/terminals.ts';
import { createCameraStates } from './camera-states.ts';
import { createLiveCommands } from './live-commands.ts';
import { createRecordings } from './recordings.ts';
import { createStoreTold } from './terminal-records.ts';
import { createUploads } from './uploads.ts';

/**
 * Channel of notifications that a terminal has signed in; the payload is its unit, ms since 1970 UTC, and the process. The
 * connection that it has lost may look sound to another process for minutes.
 */
const TERMINALS_CHANNEL = 'signed_in_terminals';
/** A notification may be lost, so commands are also looked for, ms. */
const LOOK_EVERY_MS = 5000;
/** A terminal that has just signed in gets the answer to that first, ms. */
const GREET_AFTER_MS = 500;
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
  terminals: Pick<Terminals, 'ask' | 'has' | 'isElsewhere'>,
): TerminalCommands {
  const { clock, log } = deps;
  const { db } = deps.database;
  const greetings = new Set<NodeJS.Timeout>();
  const working = new Set<Promise<void>>();
  let looking: NodeJS.Timeout | undefined;
  const ownName = randomUUID();
  let stopCommands: (() => Promise<void>) | undefined;
  let stopTerminals: (() => Promise<void>) | undefined;
  let isStopped = false;
  let isLooking = false;
  const storeTold = createStoreTold(deps);
  const states = createCameraStates(deps, storeTold, run);
  const recordings = createRecordings(deps, terminals, storeTold);
  const uploads = createUploads(deps, terminals);
  const lanes = [createLiveCommands(deps, terminals, states), recordings, uploads].map((lane) => ({
    ...{ lane, kinds: new Set<CommandKind>(lane.kinds) },
    /** The units that are served, and whether they have to be looked at again. */
    busy: new Map<number, boolean>(),
    waiting: new Set<number>(),
  }));

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
        // The disk is full, or the unit has just moved: the next look tries again.
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
      await lookAtAll();
    } finally {
      isLooking = false;
    }
  }

  async function lookAtAll(): Promise<void> {
    const rows = await db
      .selectFrom('unit_commands')
      .innerJoin('units', 'units.id', 'unit_commands.unit_id')
      .select(['unit_id', 'kind'])
      .distinct()
      .where('protocol', '=', 'jt808')
      .where('finished_at', 'is', null)
      // Older ones have expired.
      .where('unit_commands.created_at', '>', new Date(clock.nowMs() - DEPOT_WAIT_MS))
      .execute();
    for (const one of lanes) {
      const asked = rows.filter(({ kind }) => one.kinds.has(kind)).map(({ unit_id }) => unit_id);
      const due = (await one.lane.due?.(asked)) ?? asked;
      for (const unitId of new Set(due)) serve(unitId, one);
    }
  }

  function hearOfTerminal(payload: string): void {
    const [unitId, atMs, process] = payload.split(' ');
    if (process !== ownName) terminals.isElsewhere(Number(unitId), Number(atMs));
  }

  async function tellOfTerminal(unitId: number, atMs: number): Promise<void> {
    const payload = `${unitId} ${atMs} ${ownName}`;
    await sql`select pg_notify(${TERMINALS_CHANNEL}, ${payload})`.execute(db);
  }

  return {
    located: (unitId, body) => {
      if (!isStopped) states.located(unitId, body);
    },
    uploadEnded: (unitId, serial, result) => {
      if (uploads.ended(unitId, serial, result)) serveAll(unitId);
    },
    start: async () => {
      isStopped = false;
      stopCommands ??= await listen(deps, COMMANDS_CHANNEL, (unitId) => {
        if (unitId === '') run(look());
        else serveAll(Number(unitId));
      });
      stopTerminals ??= await listen(deps, TERMINALS_CHANNEL, hearOfTerminal);
      looking ??= setInterval(() => run(look()), LOOK_EVERY_MS);
    },
    stop: async () => {
      isStopped = true;
      clearInterval(looking);
      for (const greeting of greetings) clearTimeout(greeting);
      greetings.clear();
      await stopCommands?.();
      await stopTerminals?.();
      [looking, stopCommands, stopTerminals] = [undefined, undefined, undefined];
      await Promise.all(working);
    },
    greet: (unitId, atMs) => {
      if (isStopped) return;
      const greeting = setTimeout(() => {
        greetings.delete(greeting);
        run(tellOfTerminal(unitId, atMs));
        states.signedIn(unitId);
        recordings.greet(unitId);
        serveAll(unitId);
      }, GREET_AFTER_MS);
      greetings.add(greeting);
    },
  };
}
