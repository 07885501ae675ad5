// Runs the whole fleet: set-up, history, clips, present. Records have the times of the simulated world; --speed only
// sets the pace at which history is sent. After it has caught up with the clock, the fleet runs in real time.
import path from 'node:path';
import { addDays, dayOf } from '@ridewatch/contract/day';
import { SetUpError, signIn } from '../fleet-set-up.ts';
import type { Timers } from '../uplink/timers.ts';
import type { SimulatedBus } from './bus.ts';
import { canMakeClips, openStudio } from './clip-studio.ts';
import { findCredentials } from './credentials.ts';
import { createDays } from './days.ts';
import { waitUntilCounted } from './demo-counted.ts';
import { lookAtBuses } from './demo-look.ts';
import { mergeOnce } from './demo-merge.ts';
import { planDemo } from './demo-plan.ts';
import { compareTakings } from './demo-takings.ts';
import { sendEarlierDays } from './earlier-days.ts';
import { createFailureLog } from './failure-log.ts';
import type { Flags } from './flags.ts';
import { sendHistory } from './history.ts';
import { makeClipsBeforehand } from './make-clips-beforehand.ts';
import { atOnce, createPace } from './pace.ts';
import { planFleet } from './plan.ts';
import { findProtocolAddresses } from './protocol-ports.ts';
import { createProtocolUnit } from './protocol-unit.ts';
import { runUnit } from './run-unit.ts';
import { createUnit, daysBefore, type SimulatedUnit, type UnitOptions } from './simulated-unit.ts';
import { readState, type State, writeState } from './state.ts';
import { createTeller, type ProtocolAddresses, protocolsOf } from './tellers.ts';
import { createTruthWriter } from './truth-writer.ts';

const CLIPS_AT_ONCE = 2;
const SAVE_EVERY_MS = 10_000;
/** Share of the history in the shown progress; the rest is making clips. */
const HISTORY_SHARE = 0.7;
/** Time over which the later clips and the earlier weeks are spread, so that they are there in twenty minutes, ms. */
const LATER_MS = 18 * 60_000;
/** How long the demo's broken unit has been silent when the demo starts, ms. */
const SILENT_MS = 47 * 60_000;

export interface RunOptions {
  flags: Flags;
  ffmpegPath: string;
  timers: Timers;
  signal: AbortSignal;
  /** Prints a line for the operator. */
  say: (line: string) => void;
}

/**
 * Runs the fleet until the signal is aborted, or with --until-now until the present.
 * @throws SetUpError when the server cannot be reached or refuses the fleet
 */
export async function runFleet(options: RunOptions): Promise<void> {
  const { ffmpegPath, timers, signal, say } = options;
  const clips = options.flags.clips && (await canMakeClips(ffmpegPath));
  const flags = { ...options.flags, clips };
  if (flags.clips !== options.flags.clips) {
    say(`no clips: '${ffmpegPath}' cannot be run; set FFMPEG_PATH to another ffmpeg`);
  }
  const { seed, url } = flags;
  const addresses = await findAddresses();
  const fleet = planFleet(flags.buses, seed, flags.zone, protocolsOf(addresses));
  const file = flags.data === undefined ? undefined : path.join(flags.data, 'simulated/state.json');
  const earlier = file === undefined ? undefined : await readState(file, { seed, url });
  const credentials = await findCredentials(flags, fleet, earlier);
  const days = createDays(seed, 2 * fleet.buses.length + 8);
  const studio = await openStudio(ffmpegPath, CLIPS_AT_ONCE);
  const nowMs = Math.floor(timers.nowMs() / 1000) * 1000;
  const demo =
    flags.demo && flags.clips ? planDemo(fleet.buses, days, nowMs, flags.days) : undefined;
  const isQueued: UnitOptions['isQueued'] = (bus, fragment) =>
    demo?.isQueued(bus, fragment) ?? (flags.clips && fragment.endMs > nowMs);
  const failures = createFailureLog(say);
  const units = fleet.buses.map((bus) => {
    const { deviceId } = bus;
    const teller = createTeller(
      bus,
      addresses,
      {
        ...{ timers, signal },
        onRefused: (reason) => failures(bus, `record refused: ${reason}`),
        onFailure: (error) => failures(bus, error.message),
      },
      { days, studio, ffmpegPath },
    );
    const unit =
      teller === undefined
        ? createUnit({
            bus,
            days,
            studio,
            ffmpegPath,
            url,
            credential: credentials.get(deviceId) ?? '',
            timers,
            isQueued,
            onRefused: (_, { reason, message }) =>
              failures(bus, `record refused: ${reason} ${message}`),
            onFailure: (_, error) => failures(bus, error.message),
          })
        : createProtocolUnit({ bus, days, timers, teller });
    const known = earlier?.units[deviceId];
    const knownUntilMs = known?.sentUntilMs ?? Number.NEGATIVE_INFINITY;
    const startMs = daysBefore(bus, nowMs, flags.days);
    unit.sentUntilMs = Math.max(knownUntilMs, startMs);
    // A run after a long break leaves a gap before its history, and sends the days before it again.
    unit.sentFromMs = (knownUntilMs < startMs ? undefined : known?.sentFromMs) ?? startMs;
    for (const one of earlier?.uploads ?? []) {
      if (one.deviceId === deviceId) unit.pending.push(one);
    }
    return unit;
  });
  const truth = createTruthWriter(flags, days);
  // One after the other, because units end their days at the same time.
  let saved = Promise.resolve();
  const save = (): Promise<void> => {
    saved = saved.then(async () => {
      if (file === undefined) return;
      // A bus whose protocol the server does not take today goes on later.
      await writeState(file, stateOfUnits(flags, units, credentials, earlier?.units));
    });
    return saved;
  };
  const firstMs = new Map(units.map((unit) => [unit, unit.sentUntilMs]));
  const keptFromMs = new Map(units.map((unit) => [unit, unit.sentFromMs]));
  try {
    if (flags.speed === 'max') await prepare();
    say('ready');
    const running = units.filter((unit) => !isSilent(unit));
    const options = present();
    await Promise.all([
      ...running.map((unit) => runUnit(unit, options)),
      keepSaved(),
      sendEarlierWeeks(),
    ]);
  } finally {
    await save();
    for (const unit of units) {
      const hasEarlier = unit.sentFromMs < (keptFromMs.get(unit) ?? nowMs);
      await truth.writeAll(unit, hasEarlier ? unit.sentFromMs : (firstMs.get(unit) ?? nowMs));
    }
    await truth.close();
    await Promise.all(units.map((unit) => unit.close()));
    await studio.close();
  }

  // The addresses to which units of other protocols tell their records.
  async function findAddresses(): Promise<ProtocolAddresses> {
    if (!flags.asksForProtocols) return flags.protocols;
    const found = await findProtocolAddresses(await signIn(flags), url);
    for (const { name, reason } of found.closed) say(`no bus speaks ${name}: ${reason}`);
    return { ...found.addresses, ...flags.protocols };
  }

  async function prepare(): Promise<void> {
    const startMs = performance.now();
    const share = flags.clips ? HISTORY_SHARE : 1;
    // The broken unit first: the server needs up to a minute to see that it is silent.
    const inOrder = units.toSorted((a, b) => Number(isSilent(b)) - Number(isSilent(a)));
    const stored = await sendHistory(inOrder, {
      days,
      untilMs: (unit) => (isSilent(unit) ? nowMs - SILENT_MS : nowMs),
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
      say(`prepare ${percent} % clip ${done} of ${all}`);
    };
    if (flags.demo) await lookAtBuses(await signIn(flags), nowMs).catch(sayRefused);
    if (!flags.clips) return;
    const isWanted = demo?.isFirst ?? (() => true);
    const context = { isWanted, signal, failures, onClip };
    const made = await makeClipsBeforehand(units, studio, context);
    if (demo === undefined) return;
    const administrator = await signIn(flags);
    await waitUntilCounted(administrator, made, { timers, signal }).catch(sayRefused);
    if (demo.merged === undefined) return;
    await mergeOnce(administrator, demo.merged, { timers, signal }).catch(sayRefused);
  }

  // The broken unit comes last: while it sends, the server takes it for repaired.
  async function sendEarlierWeeks(): Promise<void> {
    const historyDays = flags.days + 7 * flags.earlierWeeks;
    if (flags.earlierWeeks === 0) return;
    const stored = await sendEarlierDays(units, {
      firstMs: ({ bus }) => daysBefore(bus, nowMs, historyDays),
      isLast: isSilent,
      withinMs: LATER_MS,
      timers,
      signal,
      onDay: (unit, day) => truth.writeDay(unit, day),
      onFailure: (unit, error) => failures(unit.bus, error.message),
    });
    if (stored === 0 || signal.aborted) return;
    say(`history: ${stored} records of ${flags.earlierWeeks} earlier weeks`);
    if (flags.demo) await sayTakings(historyDays).catch(sayRefused);
  }

  async function sayTakings(historyDays: number): Promise<void> {
    const daysOf = ({ zone }: SimulatedBus): string[] =>
      Array.from({ length: historyDays }, (_, ago) => addDays(dayOf(nowMs, zone), -1 - ago));
    const { laps, within } = await compareTakings(await signIn(flags), fleet.buses, days, daysOf);
    const percent = ((100 * within) / Math.max(1, laps)).toFixed(1);
    say(`takings: ${percent} % of ${laps} laps by prices are within the stated error of the truth`);
  }

  // The fleet runs without what the server refuses here.
  function sayRefused(error: unknown): void {
    if (!(error instanceof SetUpError)) throw error;
    say(error.message);
  }

  function isSilent({ bus }: SimulatedUnit): boolean {
    return flags.demo && bus.breaksDown === true;
  }

  async function keepSaved(): Promise<void> {
    while (!signal.aborted && !flags.untilNow) {
      await timers.sleep(SAVE_EVERY_MS, signal);
      await save();
      for (const unit of units) await truth.writeToday(unit);
    }
  }

  function present(): Parameters<typeof runUnit>[1] {
    const startedMs = timers.nowMs();
    const { speed } = flags;
    const pace = demo ? createPace(timers, LATER_MS / Math.max(1, demo.laterCount)) : atOnce;
    return {
      uploadPace: pace,
      timers,
      signal,
      untilNow: flags.untilNow,
      presentMs: (unit) =>
        speed === 'max'
          ? Number.MAX_SAFE_INTEGER
          : (firstMs.get(unit) ?? nowMs) + (timers.nowMs() - startedMs) * speed,
      onFailure: (unit, error) => failures(unit.bus, error.message),
    };
  }
}

function stateOfUnits(
  { seed, url }: Flags,
  units: readonly SimulatedUnit[],
  credentials: ReadonlyMap<string, string>,
  earlier: State['units'] = {},
): State {
  return {
    seed,
    url,
    units: {
      ...earlier,
      ...Object.fromEntries(
        units.map(({ bus: { deviceId }, sentUntilMs, sentFromMs }) => [
          deviceId,
          { credential: credentials.get(deviceId) ?? '', sentUntilMs, sentFromMs },
        ]),
      ),
    },
    uploads: units.flatMap(({ pending }) => pending),
  };
}
