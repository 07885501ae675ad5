// The commands of live video, and the question after the states of the cameras.
import type { UnitCommand } from '@ridewatch/contract/unit-commands';
import { isPortClosed } from '../../core/closed-ports.ts';
import { AppError } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';
import { listOpenCommands } from '../../fetching/commands.ts';
import { failStream, type StreamEnd } from '../../live/streams.ts';
import type { CommandWord } from '../http/acknowledge.ts';
import type { Terminals } from '../jt808/terminals.ts';
import { createAtOnce, lateError } from '../store/at-once.ts';
import type { CameraStates } from './camera-states.ts';
import { channelOf } from './channels.ts';
import { STREAM, VIDEO } from './codes.ts';
import type { Lane } from './lane.ts';
import { startBody, stopBody } from './live-messages.ts';
import { SILENCE, sayFor, wordOf } from './terminal-words.ts';

/** Longest wait for the answer of a terminal, ms. */
const ANSWER_MS = 10_000;

/**
 * Cameras of a terminal whose commands are carried out at the same time: a channel that does not answer must not hold up
 * the others.
 */
const MOST_CAMERAS = 8;

/** Outcome of a command: the word of its unit; undefined: none yet, and it is asked again. */
type Outcome = CommandWord | { readonly end: StreamEnd } | undefined;

/** Makes the lane of one process. */
export function createLiveCommands(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'metrics' | 'videoOff'>,
  terminals: Pick<Terminals, 'ask'>,
  states: Pick<CameraStates, 'report'>,
): Lane {
  const { config, clock, videoOff } = deps;
  const { db } = deps.database;
  const kinds = ['start_live', 'stop_live', 'report_camera_states'] as const;

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
    await sayFor(db, unitId, id, word, nowMs);
  }

  async function carryOutAll(
    unitId: number,
    commands: readonly UnitCommand[],
    isStopped: () => boolean,
  ): Promise<void> {
    for (const command of commands) {
      if (isStopped()) return;
      const outcome = await carryOut(unitId, command);
      if (isStopped()) return;
      if (outcome !== undefined) await note(unitId, command, outcome);
    }
  }

  async function carryOut(unitId: number, { kind, live }: UnitCommand): Promise<Outcome> {
    if (kind === 'report_camera_states') return report(unitId);
    const channel = channelOf(live?.camera ?? '');
    if (channel === undefined) return { end: { failReason: 'no_channel' } };
    if (kind === 'stop_live') return stopLive(unitId, channel);
    const isOff = config.jt1078Port === 0 || videoOff !== undefined;
    if (isOff || (await isPortClosed(deps, 'jt1078', config.jt1078Port))) {
      return { end: { failReason: 'live_not_set_up' } };
    }
    const smaller = await startLive(unitId, channel, STREAM.sub);
    // Some terminals have one stream of a camera.
    return smaller?.result === 'failed' ? startLive(unitId, channel, STREAM.main) : smaller;
  }

  async function report(unitId: number): Promise<Outcome> {
    try {
      await states.report(unitId);
      return { result: 'done' };
    } catch (error) {
      // The disk is full, or the unit has just moved: nobody's live video waits for that.
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }

  async function startLive(unitId: number, channel: number, stream: number) {
    const { unitPublicHost, jt1078Port } = config;
    const body = (address: string): Buffer =>
      startBody(unitPublicHost ?? address, jt1078Port, { channel, stream });
    const answer = await terminals.ask(unitId, { id: VIDEO.start, body, waitMs: ANSWER_MS });
    return wordOf(VIDEO.start, answer);
  }

  // The server closes the stream, too: so a terminal that does not answer is not asked again.
  async function stopLive(unitId: number, channel: number): Promise<CommandWord> {
    const body = stopBody({ channel, stream: STREAM.sub });
    const answer = await terminals.ask(unitId, { id: VIDEO.control, body, waitMs: ANSWER_MS });
    return wordOf(VIDEO.control, answer) ?? SILENCE;
  }

  return {
    kinds,
    serve: async (unitId, isStopped) => {
      const commands = await listOpenCommands(db, unitId, clock.nowMs(), kinds);
      const atOnce = createAtOnce(MOST_CAMERAS, Number.POSITIVE_INFINITY, lateError);
      const ofCameras = Map.groupBy(commands, ({ live }) => live?.camera).values();
      const done = await Promise.allSettled(
        [...ofCameras].map((some) => atOnce(() => carryOutAll(unitId, some, isStopped))),
      );
      for (const one of done) if (one.status === 'rejected') throw one.reason;
    },
  };
}
