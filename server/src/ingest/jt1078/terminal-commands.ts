// Carries out the commands of units whose terminals are signed in here: start_live and stop_live. All other kinds
// (fetch_segment, fetch_range, stop_fetch, report_camera_states) stay open: no terminal is asked for them yet.
import type { CommandKind, UnitCommand } from '@ridewatch/contract/unit-commands';
import { listen } from '../../core/db/listen.ts';
import { AppError, isDatabaseAway } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';
import { COMMANDS_CHANNEL, FORGOTTEN_AFTER_MS, listOpenCommands } from '../../fetching/commands.ts';
import { failStream, type StreamEnd } from '../../live/streams.ts';
import { acknowledge, type CommandWord } from '../http/acknowledge.ts';
import { RESULT } from '../jt808/codes.ts';
import type { Terminals } from '../jt808/terminals.ts';
import { channelOf } from './channels.ts';
import { STREAM, VIDEO } from './codes.ts';
import { refusalOf, startBody, stopBody } from './live-messages.ts';

const KINDS = ['start_live', 'stop_live'] as const satisfies readonly CommandKind[];
/** A notification may be lost, so commands are also looked for, ms. */
const LOOK_EVERY_MS = 5000;
/** A terminal that has just signed in gets the answer to that first, ms. */
const GREET_AFTER_MS = 500;
/** Longest wait for the answer of a terminal, ms. */
const ANSWER_MS = 10_000;
/** Units that are served at the same time; the others wait for the next look. */
const MOST_UNITS = 200;

export interface TerminalCommands {
  /** Begins, also after a stop. @throws the database's error when it is away */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** A unit's terminal has signed in. */
  greet(unitId: number): void;
}

/** Outcome of a command: the word of its unit; undefined: none yet, and it is asked again. */
type Outcome = CommandWord | { readonly end: StreamEnd } | undefined;

/** Makes the delivery of one process. */
export function createTerminalCommands(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'log' | 'videoOff'>,
  terminals: Pick<Terminals, 'ask' | 'has'>,
): TerminalCommands {
  const { config, clock, log } = deps;
  const { db } = deps.database;
  /** The units that are served, and whether they have to be looked at again. */
  const busy = new Map<number, boolean>();
  const greetings = new Set<NodeJS.Timeout>();
  const working = new Set<Promise<void>>();
  let looking: NodeJS.Timeout | undefined;
  let stopListening: (() => Promise<void>) | undefined;
  let isStopped = false;
  let isLooking = false;

  function serve(unitId: number): void {
    if (isStopped || !terminals.has(unitId)) return;
    if (busy.has(unitId)) busy.set(unitId, true);
    else if (busy.size < MOST_UNITS) run(serveUnit(unitId));
  }

  function run(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => {
        if (!isDatabaseAway(error)) log.error({ err: error }, 'a command was not carried out');
      })
      .finally(() => working.delete(done));
    working.add(done);
  }

  async function serveUnit(unitId: number): Promise<void> {
    try {
      do {
        busy.set(unitId, false);
        for (const command of await listOpenCommands(db, unitId, clock.nowMs(), KINDS)) {
          const outcome = await carryOut(unitId, command);
          if (outcome === undefined || isStopped) return;
          await note(unitId, command, outcome);
        }
      } while (busy.get(unitId) === true);
    } finally {
      busy.delete(unitId);
    }
  }

  async function note(
    unitId: number,
    { id, live }: UnitCommand,
    outcome: NonNullable<Outcome>,
  ): Promise<void> {
    const nowMs = clock.nowMs();
    if ('end' in outcome) {
      const key = live?.path.split('/').at(-1) ?? '';
      await db.transaction().execute((tx) => failStream(tx, key, outcome.end, nowMs));
    }
    const word = 'end' in outcome ? { result: 'failed' as const } : outcome;
    await acknowledge(db, unitId, id, word, nowMs).catch((error: unknown) => {
      // It was cancelled while the terminal thought.
      if (!(error instanceof AppError)) throw error;
    });
  }

  async function carryOut(unitId: number, { kind, live }: UnitCommand): Promise<Outcome> {
    const channel = channelOf(live?.camera ?? '');
    if (channel === undefined) return { end: { failReason: 'no_channel' } };
    if (kind === 'stop_live') return stopLive(unitId, channel);
    if (config.jt1078Port === 0 || deps.videoOff !== undefined) {
      return { end: { failReason: 'live_not_set_up' } };
    }
    const smaller = await startLive(unitId, channel, STREAM.sub);
    // Some terminals have one stream of a camera.
    const answered = isRefusal(smaller) ? await startLive(unitId, channel, STREAM.main) : smaller;
    return answered;
  }

  async function startLive(unitId: number, channel: number, stream: number): Promise<Outcome> {
    const { unitPublicHost, jt1078Port } = config;
    return ask(unitId, VIDEO.start, (address) =>
      startBody(unitPublicHost ?? address, jt1078Port, { channel, stream }),
    );
  }

  // The server closes the stream, too: so a terminal that does not answer is not asked again.
  async function stopLive(unitId: number, channel: number): Promise<Outcome> {
    const body = stopBody({ channel, stream: STREAM.sub });
    const answered = await ask(unitId, VIDEO.control, () => body);
    return answered ?? { result: 'failed', reason: '0x9102: no answer' };
  }

  async function ask(
    unitId: number,
    id: (typeof VIDEO)[keyof typeof VIDEO],
    body: (serverAddress: string) => Buffer,
  ): Promise<Outcome> {
    const answer = await terminals.ask(unitId, { id, body, waitMs: ANSWER_MS });
    if (answer?.kind !== 'result') return undefined;
    if (answer.result === RESULT.ok) return { result: 'done' };
    return { result: 'failed', reason: refusalOf(id, answer.result) };
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
      .select('unit_id')
      .distinct()
      .where('protocol', '=', 'jt808')
      .where('finished_at', 'is', null)
      .where('kind', 'in', [...KINDS])
      .where('unit_commands.created_at', '>', new Date(clock.nowMs() - FORGOTTEN_AFTER_MS))
      .execute();
    for (const { unit_id } of rows) serve(unit_id);
  }

  return {
    start: async () => {
      isStopped = false;
      stopListening ??= await listen(deps, COMMANDS_CHANNEL, (unitId) => {
        if (unitId === '') run(look());
        else serve(Number(unitId));
      });
      looking ??= setInterval(() => run(look()), LOOK_EVERY_MS);
    },
    stop: async () => {
      isStopped = true;
      clearInterval(looking);
      for (const greeting of greetings) clearTimeout(greeting);
      await stopListening?.();
      [looking, stopListening] = [undefined, undefined];
      await Promise.all(working);
    },
    greet: (unitId) => {
      if (isStopped) return;
      const greeting = setTimeout(() => {
        greetings.delete(greeting);
        serve(unitId);
      }, GREET_AFTER_MS);
      greetings.add(greeting);
    },
  };
}

const isRefusal = (outcome: Outcome): boolean =>
  outcome !== undefined && 'result' in outcome && outcome.result === 'failed';
