// Uploads of recorded video: a terminal is asked for one file at a time, in the order of the commands, because a registrar
// has one FTP client. A command ends by the terminal's result; if that is lost, by the file itself, or by silence. The
// serials of running uploads are known to their process alone: the next one takes any result for the upload that runs, and
// believes no success of bytes that it does not have.
import type { UnitCommand } from '@ridewatch/contract/unit-commands';
import { isPortClosed } from '../../core/closed-ports.ts';
import { isFull } from '../../core/disk.ts';
import type { Deps } from '../../deps.ts';
import { listOpenCommands } from '../../fetching/commands.ts';
import { endFtpLogin, endLoginsOf } from '../../fetching/ftp-logins.ts';
import { settleShorter } from '../../fetching/short-ends.ts';
import type { CommandWord } from '../http/acknowledge.ts';
import { RESULT } from '../jt808/codes.ts';
import type { Terminals } from '../jt808/terminals.ts';
import { channelOf } from './channels.ts';
import { VIDEO } from './codes.ts';
import { cancelBody } from './file-messages.ts';
import type { Lane } from './lane.ts';
import {
  beginRunning,
  forgetSignIn,
  hasBroken,
  noteSignIn,
  type Running,
  SILENT_MS,
} from './running-upload.ts';
import { findServedUnit } from './served-unit.ts';
import { refusalBy, sayFor } from './terminal-words.ts';
import { askForUpload, takesUploads } from './upload-requests.ts';
import { askAnew, findAccepted, findUpload, listSmooth, type UploadState } from './upload-state.ts';

/** Longest wait for the answer of a terminal, ms. */
const ANSWER_MS = 20_000;
/** Bytes came so short ago that the upload runs, ms. */
const RUNS_MS = 60_000;
/**
 * A file that is whole waits so long for the terminal's result, ms: its FTP client is hardly ready for the next. The result
 * that it is whole waits as long for the last bytes.
 */
const RESULT_MS = 20_000;
/** One that waits for Wi-Fi is asked for anew after this time, ms: before its login ends. */
const RENEW_MS = 100 * 60_000;
/** An upload that brought so much has stopped rather than failed, bytes: links of buses break. */
const PROGRESS_BYTES = 2 ** 20;
/** Running uploads that a process remembers, one a unit. */
const MOST_RUNNING = 20_000;

/** The uploads of one process. */
export interface Uploads extends Lane {
  /**
   * Takes the terminal's result of an upload.
   * @param serial of the message that asked for it @param result 0: it is whole
   * @returns whether such an upload runs, or may run: none is known of the unit
   */
  ended(unitId: number, serial: number, result: number): boolean;
  /** A unit's terminal has signed in on another connection. @param atMs ms since 1970 UTC */
  signedIn(unitId: number, atMs: number): void;
}

/** Makes them. */
export function createUploads(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'disk' | 'metrics' | 'videoOff'>,
  terminals: Pick<Terminals, 'ask' | 'has'>,
): Uploads {
  const { clock } = deps;
  const { db } = deps.database;
  const all = new Map<number, Running>();
  /** Results of units of which no upload is known, until the next look at them, and when they came by the elapsed time, ms. */
  const early = new Map<number, { readonly result: number; readonly atMs: number }>();

  function remember(unitId: number, state: UploadState, isAdopted: boolean): Running {
    const [oldest] = all.keys();
    if (all.size >= MOST_RUNNING && oldest !== undefined) all.delete(oldest);
    const running = beginRunning(state, isAdopted, clock.nowMs());
    all.set(unitId, running);
    early.delete(unitId);
    return running;
  }

  const say = (unitId: number, commandId: number, word: CommandWord): Promise<void> =>
    sayFor(db, unitId, commandId, word, clock.nowMs());

  // Whether it was cancelled or not, the next message is for another file.
  async function cancel(unitId: number, { serial }: Running): Promise<void> {
    if (serial === undefined) return;
    const body = cancelBody(serial);
    await terminals.ask(unitId, { id: VIDEO.uploadControl, body, waitMs: ANSWER_MS });
  }

  async function carryOutStops(unitId: number): Promise<void> {
    const nowMs = clock.nowMs();
    for (const { id, stop } of await listOpenCommands(db, unitId, nowMs, ['stop_fetch'])) {
      const stopped = stop?.commands ?? [];
      const running = all.get(unitId);
      if (running !== undefined && stopped.includes(running.commandId)) {
        all.delete(unitId);
        await cancel(unitId, running);
      }
      await endLoginsOf(db, stopped);
      await say(unitId, id, { result: 'done' });
    }
  }

  // @returns whether the terminal is free for the next file
  async function lookAfter(unitId: number, running: Running): Promise<boolean> {
    const state = await findUpload(db, running.commandId);
    if (state === undefined || state.isFinished) {
      // It was cancelled, or an attempt has failed and another command asks for the file.
      all.delete(unitId);
      if (running.result === undefined) await cancel(unitId, running);
      return true;
    }
    const outcome = await outcomeOf(unitId, running, state);
    if (outcome === 'runs') return false;
    all.delete(unitId);
    if (running.result === undefined && !state.isWhole) await cancel(unitId, running);
    if (outcome === 'again') await askAnew(db, running.commandId);
    else await say(unitId, running.commandId, outcome);
    return true;
  }

  async function outcomeOf(
    unitId: number,
    running: Running,
    state: UploadState,
  ): Promise<CommandWord | 'runs' | 'again'> {
    const { result, fragmentId, isAdopted } = running;
    if (state.isWhole) {
      running.wholeMs ??= clock.elapsedMs();
      const isLate = clock.elapsedMs() - running.wholeMs >= RESULT_MS;
      return isLate || result !== undefined ? { result: 'done' } : 'runs';
    }
    if (result === RESULT.ok) {
      // That of an adopted one may be late, of the file before it.
      const isSettled =
        !isAdopted && (await db.transaction().execute((tx) => settleShorter(tx, fragmentId)));
      if (isSettled) return { result: 'done' };
      if (clock.elapsedMs() - running.resultMs < RESULT_MS) return 'runs';
    }
    // The port of FTP takes nothing then: the terminal is not to blame.
    if (await isFull(deps.disk)) {
      running.hadNoRoom = true;
      return 'runs';
    }
    const hasProgress = state.receivedBytes - running.fromBytes >= PROGRESS_BYTES;
    const isAgain = hasProgress || running.hadNoRoom;
    if (result !== undefined) {
      // It has stopped. If nothing more comes, the next result fails the attempt.
      if (isAgain) return 'again';
      // The end of a command without an upload has a reason of its own.
      if (result === RESULT.ok && !state.hasBegun && !isAdopted) return { result: 'done' };
      const what = result === RESULT.ok ? 'file incomplete' : 'failed';
      return { result: 'failed', reason: `0x1206: ${result}, ${what}`, keepsBytes: true };
    }
    // A terminal that restarts forgets its upload, and says no result of it.
    if (hasBroken(running, state, clock.nowMs())) {
      const reason = '0x9206: signed in again, upload stopped';
      const isWaitingForWifi = await isByWifi(unitId);
      if (!isWaitingForWifi && isAgain) return 'again';
      if (!isWaitingForWifi) return { result: 'failed', reason, keepsBytes: true };
      forgetSignIn(running);
    }
    const silentMs = clock.nowMs() - Math.max(state.movedMs, running.begunMs);
    if (silentMs < SILENT_MS) return 'runs';
    if (running.hadNoRoom) return 'again';
    if (await isByWifi(unitId)) {
      running.mostSilentMs = RENEW_MS;
      return silentMs < RENEW_MS ? 'runs' : 'again';
    }
    const reason = `0x9206: no upload in ${SILENT_MS / 60_000} minutes`;
    return { result: 'failed', reason, keepsBytes: true };
  }

  async function isByWifi(unitId: number): Promise<boolean> {
    return (await findServedUnit(db, unitId))?.settings.uploads === 'wifi';
  }

  // Takes over an upload that was asked for before the process began, if one runs or has just ended. @returns whether
  async function adopt(unitId: number): Promise<boolean> {
    const state = await findAccepted(db, unitId);
    const told = early.get(unitId);
    early.delete(unitId);
    if (state === undefined) return false;
    // An older one is of an upload that has ended, here or elsewhere.
    const isNew = told !== undefined && clock.elapsedMs() - told.atMs < RESULT_MS;
    const result = isNew ? told.result : undefined;
    if (result === undefined && clock.nowMs() - state.movedMs >= RUNS_MS) return false;
    const running = remember(unitId, state, true);
    if (result !== undefined) setResult(running, result);
    return true;
  }

  function setResult(running: Running, result: number): void {
    [running.result, running.resultMs] = [result, clock.elapsedMs()];
  }

  // @returns whether the terminal is free for the next file
  async function begin(unitId: number, { id, segment }: UnitCommand): Promise<boolean> {
    const channel = channelOf(segment?.camera ?? '');
    const failReason = takesUploads(deps) ? 'no_channel' : 'uploads_not_set_up';
    if (channel === undefined || !takesUploads(deps)) {
      await say(unitId, id, { result: 'failed', final: true, failReason });
      return true;
    }
    const [state, served] = [await findUpload(db, id), await findServedUnit(db, unitId)];
    if (state === undefined || served === undefined) return false;
    if (state.isWhole) {
      // Its process ended before the terminal's result came.
      await say(unitId, id, { result: 'done' });
      return true;
    }
    // It waits until the disk has room and the port opens.
    if (await isFull(deps.disk)) return false;
    if (await isPortClosed(deps, 'ftp', deps.config.ftpPort)) return false;
    const running = remember(unitId, state, false);
    const wanted = {
      ...{ served, commandId: id, fragmentId: state.fragmentId, channel, waitMs: ANSWER_MS },
      onSerial: (serial: number) => {
        running.serial = serial;
      },
    };
    const asked = await askForUpload(deps, terminals, wanted).catch((error: unknown) => {
      // Nothing was asked: no silence of the terminal counts.
      all.delete(unitId);
      throw error;
    });
    if (asked?.answer?.kind === 'result' && asked.answer.result === RESULT.ok) {
      await say(unitId, id, { result: 'accepted' });
      // The result may have come with the answer.
      return running.result !== undefined;
    }
    all.delete(unitId);
    if (asked === undefined) return true;
    await endFtpLogin(db, state.fragmentId, asked.login);
    const word = refusalBy(VIDEO.upload, asked.answer);
    // One that has left is asked when it is back.
    if (word === undefined) return false;
    await say(unitId, id, { ...word, keepsBytes: true });
    return true;
  }

  return {
    kinds: ['stop_fetch', 'fetch_segment'],
    due: async (asked) => {
      const nowMs = clock.nowMs();
      // That of a terminal that has left may have ended elsewhere.
      const here = [...all].filter(([unitId]) => terminals.has(unitId));
      const running = here
        .filter(([, { result }]) => result === undefined)
        .map(([, { commandId, mostSilentMs }]) => ({
          ...{ commandId, movedAfterMs: nowMs - mostSilentMs },
        }));
      const smooth = await listSmooth(db, running);
      const some = here.filter(([, { commandId }]) => !smooth.has(commandId));
      // The next file of a terminal waits for this one.
      return [...asked.filter((unitId) => !all.has(unitId)), ...some.map(([unitId]) => unitId)];
    },
    ended: (unitId, serial, result) => {
      const running = all.get(unitId);
      if (running === undefined) {
        const [oldest] = early.keys();
        if (early.size >= MOST_RUNNING && oldest !== undefined) early.delete(oldest);
        early.set(unitId, { result, atMs: clock.elapsedMs() });
        return true;
      }
      if (!running.isAdopted && running.serial !== serial) return false;
      setResult(running, result);
      return true;
    },
    signedIn: (unitId, atMs) => {
      const running = all.get(unitId);
      if (running !== undefined) noteSignIn(running, atMs);
    },
    serve: async (unitId, isStopped) => {
      await carryOutStops(unitId);
      while (!isStopped() && terminals.has(unitId)) {
        const running = all.get(unitId);
        if (running !== undefined) {
          if (!(await lookAfter(unitId, running))) return;
          continue;
        }
        if (early.has(unitId) && (await adopt(unitId))) continue;
        const [first] = await listOpenCommands(db, unitId, clock.nowMs(), ['fetch_segment']);
        if (first === undefined) return;
        if (await adopt(unitId)) continue;
        if (!(await begin(unitId, first))) return;
      }
    },
  };
}
