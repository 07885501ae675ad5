// A run of the whole fleet: set up, history, clips, present. Records keep the times at which things happened in the
// world; --speed only says how fast history is told. When it has caught up with the clock, a second is a second.
import path from 'node:path';
import type { Timers } from '../uplink/timers.ts';
import type { SimulatedBus } from './bus.ts';
import { planClips } from './clip-plan.ts';
import { canMakeClips, openStudio } from './clip-studio.ts';
import { findCredentials } from './credentials.ts';
import { createDays, type Days } from './days.ts';
import { createFailureLog } from './failure-log.ts';
import type { Flags } from './flags.ts';
import { tellHistory } from './history.ts';
import { live } from './run-unit.ts';
import { makeClipsBeforehand } from './make-clips-beforehand.ts';
import { planFleet } from './plan.ts';
import { createUnit, daysBefore, type SimulatedUnit } from './simulated-unit.ts';
import { readState, type State, writeState } from './state.ts';
import { createTruthWriter } from './truth-writer.ts';

const CLIPS_AT_ONCE = 2;
const SAVE_EVERY_MS = 10_000;
/** What of the preparation the history takes; the rest is making clips. */
const HISTORY_SHARE = 0.5;

export interface RunOptions {
  flags: Flags;
  ffmpegPath: string;
  timers: Timers;
  signal: AbortSignal;
  /** A line for the person who watches. */
  say: (line: string) => void;
}

/**
 * Runs the fleet until the signal fires, or with --until-now until the present is reached.
 * @throws SetUpError when the server cannot be reached or refuses the fleet
 */
export async function runFleet(options: RunOptions): Promise<void> {
  const { ffmpegPath, timers, signal, say } = options;
  const flags = { ...options.flags, film: options.flags.film && (await canMakeClips(ffmpegPath)) };
  if (flags.film !== options.flags.film) {
    say(`no film: '${ffmpegPath}' cannot be run; FFMPEG_PATH names another ffmpeg`);
  }
  const { seed, url } = flags;
  const fleet = planFleet(flags.buses, seed, flags.zone);
  const file = flags.data === undefined ? undefined : path.join(flags.data, 'simulated/state.json');
  const earlier = file === undefined ? undefined : await readState(file, { seed, url });
  const credentials = await findCredentials(flags, fleet, earlier);
  const days = createDays(seed, 2 * fleet.buses.length + 8);
  const studio = await openStudio(ffmpegPath, CLIPS_AT_ONCE);
  const nowMs = Math.floor(timers.nowMs() / 1000) * 1000;
  const isQueued = isClipWanted(flags, fleet.buses, days, nowMs);
  const failures = createFailureLog(say);
  const units = fleet.buses.map((bus) => {
    const { deviceId } = bus;
    const unit = createUnit({
      bus,
      days,
      studio,
      ffmpegPath,
      url,
      credential: credentials.get(deviceId) ?? '',
      timers,
      isQueued,
      onRefused: (_, { reason, message }) => failures(bus, `record refused: ${reason} ${message}`),
      onFailure: (_, error) => failures(bus, error.message),
    });
    const sentUntilMs = earlier?.units[deviceId]?.sentUntilMs ?? Number.NEGATIVE_INFINITY;
    unit.sentUntilMs = Math.max(sentUntilMs, daysBefore(bus, nowMs, flags.days, days));
    for (const one of earlier?.uploads ?? []) {
      if (one.deviceId === deviceId) unit.pending.push(one);
    }
    return unit;
  });
  const truth = createTruthWriter(flags, days);
  // One after the other: units end their days at the same time.
  let saved = Promise.resolve();
  const save = (): Promise<void> => {
    saved = saved.then(async () => {
      if (file !== undefined) await writeState(file, stateOf(flags, units, credentials));
    });
    return saved;
  };
  const firstMs = new Map(units.map((unit) => [unit, unit.sentUntilMs]));
  try {
    if (flags.speed === 'max') await prepare();
    say('ready');
    await Promise.all([...units.map((unit) => live(unit, present())), keepSaved()]);
  } finally {
    await save();
    for (const unit of units) await truth.writeAll(unit, firstMs.get(unit) ?? nowMs);
    await truth.close();
    await studio.close();
  }

  async function prepare(): Promise<void> {
    const startMs = performance.now();
    const share = flags.film ? HISTORY_SHARE : 1;
    const stored = await tellHistory(units, {
      days,
      untilMs: nowMs,
      signal,
      onDay: async (unit, day, done) => {
        say(`prepare ${Math.floor(done * share * 100)} % history of ${unit.bus.name}`);
        await truth.writeDay(unit, day);
        await save();
      },
    });
    const seconds = (performance.now() - startMs) / 1000;
    const rate = Math.round(stored / Math.max(seconds, 0.001));
    say(`history: ${stored} records in ${seconds.toFixed(1)} s, ${rate} a second`);
    const onClip = (done: number, all: number): void => {
      const percent = Math.floor((HISTORY_SHARE + (1 - HISTORY_SHARE) * (done / all)) * 100);
      say(`prepare ${percent} % film ${done} of ${all}`);
    };
    if (flags.film) await makeClipsBeforehand(units, studio, { signal, failures, onClip });
  }

  async function keepSaved(): Promise<void> {
    while (!signal.aborted && !flags.untilNow) {
      await timers.sleep(SAVE_EVERY_MS, signal);
      await save();
      for (const unit of units) await truth.writeToday(unit);
    }
  }

  function present(): Parameters<typeof live>[1] {
    const startedMs = timers.nowMs();
    const { speed } = flags;
    return {
      timers,
      signal,
      untilNow: flags.untilNow,
      livedUntilMs: (unit) =>
        speed === 'max'
          ? Number.MAX_SAFE_INTEGER
          : (firstMs.get(unit) ?? nowMs) + (timers.nowMs() - startedMs) * speed,
      onFailure: (unit, error) => failures(unit.bus, error.message),
    };
  }
}

function isClipWanted(
  flags: Flags,
  buses: readonly SimulatedBus[],
  days: Days,
  nowMs: number,
): ReturnType<typeof planClips> {
  if (!flags.film) return () => false;
  return flags.demo ? planClips(buses, days, nowMs) : (_, __, { endMs }) => endMs > nowMs;
}

function stateOf(
  { seed, url }: Flags,
  units: readonly SimulatedUnit[],
  credentials: ReadonlyMap<string, string>,
): State {
  return {
    seed,
    url,
    units: Object.fromEntries(
      units.map(({ bus: { deviceId }, sentUntilMs }) => [
        deviceId,
        { credential: credentials.get(deviceId) ?? '', sentUntilMs },
      ]),
    ),
    uploads: units.flatMap(({ pending }) => pending),
  };
}
