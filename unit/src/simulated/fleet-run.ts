// A run of the whole fleet: set up, history, film, present. Records keep the times at which things happened in the
// world; --speed only says how fast history is told. When it has caught up with the clock, a second is a second.
import path from 'node:path';
import { setUp } from '../fleet-set-up.ts';
import { connect } from '../uplink/connection.ts';
import { systemTimers } from '../uplink/timers.ts';
import type { SimulatedBus } from './bus.ts';
import { createDays, type Days } from './days.ts';
import { planFilming } from './film-plan.ts';
import { openStudio, type Studio } from './film-studio.ts';
import type { Flags } from './flags.ts';
import { tellHistory } from './history.ts';
import { live } from './live.ts';
import { type PlannedFleet, planFleet } from './plan.ts';
import { createUnit, daysBefore, type SimulatedUnit } from './simulated-unit.ts';
import { readState, type State, writeState } from './state.ts';
import { createTruthWriter } from './truth-writer.ts';

const FILMS_AT_ONCE = 2;
const SAVE_EVERY_MS = 10_000;
/** What of the preparation the history takes; the rest is filming. */
const HISTORY_SHARE = 0.5;

export interface RunOptions {
  flags: Flags;
  ffmpegPath: string;
  signal: AbortSignal;
  /** A line for the person who watches. */
  say: (line: string) => void;
}

/**
 * Runs the fleet until the signal fires, or with --until-now until the present is reached.
 * @throws SetUpError when the server cannot be reached or refuses the fleet
 */
export async function runFleet({ flags, ffmpegPath, signal, say }: RunOptions): Promise<void> {
  const { seed, url } = flags;
  const fleet = planFleet(flags.buses);
  const file = flags.data === undefined ? undefined : path.join(flags.data, 'simulated/state.json');
  const earlier = file === undefined ? undefined : await readState(file, { seed, url });
  const credentials = await findCredentials(flags, fleet, earlier);
  const days = createDays(seed, 2 * fleet.buses.length + 8);
  const studio = await openStudio(ffmpegPath, FILMS_AT_ONCE);
  const nowMs = Math.floor(Date.now() / 1000) * 1000;
  const isQueued = filming(flags, fleet.buses, days, nowMs);
  const failures = createFailureLog(say);
  const units = fleet.buses.map((bus) => {
    const { deviceId } = bus;
    const unit = createUnit({
      bus,
      days,
      studio,
      url,
      credential: credentials.get(deviceId) ?? '',
      timers: systemTimers,
      isQueued,
      onRefused: (_, { reason, message }) => failures(bus, `record refused: ${reason} ${message}`),
      onFailure: (_, error) => failures(bus, error.message),
    });
    const sentUntilMs = earlier?.units[deviceId]?.sentUntilMs ?? Number.NEGATIVE_INFINITY;
    unit.sentUntilMs = Math.max(sentUntilMs, daysBefore(bus, nowMs, flags.days, days));
    unit.pending.push(...(earlier?.uploads ?? []).filter((one) => one.deviceId === deviceId));
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
    if (flags.film) await filmBeforehand(units, studio, { signal, say, failures });
  }

  async function keepSaved(): Promise<void> {
    while (!signal.aborted && !flags.untilNow) {
      await systemTimers.sleep(SAVE_EVERY_MS, signal);
      await save();
      for (const unit of units) await truth.writeToday(unit);
    }
  }

  function present(): Parameters<typeof live>[1] {
    const startedMs = Date.now();
    const { speed } = flags;
    return {
      timers: systemTimers,
      signal,
      untilNow: flags.untilNow,
      livedUntilMs: (unit) =>
        speed === 'max'
          ? Number.MAX_SAFE_INTEGER
          : (firstMs.get(unit) ?? nowMs) + (Date.now() - startedMs) * speed,
      onFailure: (unit, error) => failures(unit.bus, error.message),
    };
  }
}

/** Films what is announced for upload, and uploads it. */
async function filmBeforehand(
  units: readonly SimulatedUnit[],
  studio: Studio,
  context: {
    signal: AbortSignal;
    say: (line: string) => void;
    failures: (bus: SimulatedBus, line: string) => void;
  },
): Promise<void> {
  const { signal, say, failures } = context;
  const wanted = units.flatMap((unit) =>
    unit.pending.flatMap((upload) => {
      const fragment = unit.findFragment(upload);
      return fragment === undefined ? [] : [{ unit, upload, fragment }];
    }),
  );
  let done = 0;
  const fragments = wanted.map(({ fragment }) => fragment);
  await studio.filmAll(fragments, async (clip, index) => {
    signal.throwIfAborted();
    const one = wanted[index];
    if (one === undefined) return;
    await one.unit.deliver(one.upload, clip, signal).catch((error: unknown) => {
      // It stays pending and is tried again in the present.
      failures(one.unit.bus, error instanceof Error ? error.message : String(error));
    });
    done += 1;
    const share = HISTORY_SHARE + (1 - HISTORY_SHARE) * (done / wanted.length);
    say(`prepare ${Math.floor(share * 100)} % film ${done} of ${wanted.length}`);
  });
}

function filming(
  flags: Flags,
  buses: readonly SimulatedBus[],
  days: Days,
  nowMs: number,
): ReturnType<typeof planFilming> {
  if (flags.demo) return planFilming(buses, days, nowMs);
  return (_, __, { endMs }) => flags.film && endMs > nowMs;
}

/** The credentials of an earlier run while they hold; else the fleet is set up, which issues new ones. */
async function findCredentials(
  flags: Flags,
  fleet: PlannedFleet,
  earlier: State | undefined,
): Promise<Map<string, string>> {
  if (earlier !== undefined) {
    const known = fleet.buses.map(({ deviceId }) => earlier.units[deviceId]?.credential);
    const first = known[0];
    if (first !== undefined && known.every((one) => one !== undefined)) {
      const holds = await connect({ url: flags.url, credential: first })
        .me()
        .then(() => true)
        .catch(() => false);
      if (holds) {
        return new Map(fleet.buses.map(({ deviceId }, index) => [deviceId, known[index] ?? '']));
      }
    }
  }
  return setUp(flags, fleet.plan);
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

/** Says a failure once a minute and bus at most: a broken link fails every second. */
function createFailureLog(say: (line: string) => void): (bus: SimulatedBus, line: string) => void {
  const saidMs = new Map<string, number>();
  return (bus, line) => {
    const key = `${bus.deviceId} ${line}`;
    const nowMs = performance.now();
    if (nowMs - (saidMs.get(key) ?? Number.NEGATIVE_INFINITY) < 60_000) return;
    saidMs.set(key, nowMs);
    say(`${bus.name}: ${line}`);
  };
}
