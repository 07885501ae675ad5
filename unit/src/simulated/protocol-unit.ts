// A unit of the simulated fleet that speaks another protocol: it tells where it is and who passes its doors. It announces
// no video; a registrar answers commands in its own protocol. What was not answered it tells again; a record that is told
// twice is stored once, because the server knows it by its time.
import { dayOf } from '@ridewatch/contract/day';
import type { Timers } from '../uplink/timers.ts';
import type { SimulatedBus } from './bus.ts';
import { type BusDay, isWithin } from './day.ts';
import type { Days } from './days.ts';
import { EARLIER_EVERY_MS, HISTORY_EVERY_MS } from './records.ts';
import type { SimulatedUnit } from './simulated-unit.ts';
import type { Teller } from './teller.ts';
import { listTold, type Told } from './told.ts';

/** A longer span is history, also for a unit that has reached the present before, ms. */
const LONGEST_PRESENT_MS = 600_000;
/** How long a unit waits after records that were not answered, ms; EGTS says 30 s. */
const RETRY_MS = 10_000;
/** How often a unit that takes commands sees to its connection, ms. */
const CONNECT_EVERY_MS = 2000;

export interface ProtocolUnitOptions {
  readonly bus: SimulatedBus;
  readonly days: Days;
  readonly timers: Timers;
  readonly teller: Teller;
}

/** Creates the unit of a bus; it tells nothing until one of its functions is called. */
export function createProtocolUnit({
  bus,
  days,
  timers,
  teller,
}: ProtocolUnitOptions): SimulatedUnit {
  let retryAtMs = Number.NEGATIVE_INFINITY;
  let turns: Promise<unknown> = Promise.resolve();
  const dayAt = (ms: number): BusDay => days.find(bus, dayOf(ms, bus.zone));
  const isBroken = (ms: number): boolean => dayAt(ms).linkBreaks.some((span) => isWithin(span, ms));
  const noVideo = () => Promise.reject(new Error('The unit announces no video.'));

  const list = (day: BusDay, fromMs: number, toMs: number, everyMs: number): Told[] => {
    const positionsEveryMs = Math.max(everyMs, teller.leastEveryMs);
    const { byOpening } = teller;
    return listTold(day, { seed: days.seed, fromMs, toMs, positionsEveryMs, byOpening });
  };

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = turns.then(work);
    turns = turn.catch(() => undefined);
    return turn;
  };

  /** Tells records when those before them have been told. @returns how many were answered */
  const tell = (told: readonly Told[]): Promise<number> =>
    inTurn(async () => {
      const answered = await teller.tell(told);
      if (answered < told.length) retryAtMs = timers.nowMs() + RETRY_MS;
      return answered;
    });

  // Without a link the registrar hears nothing, as the radio network is away.
  const keepConnected = async (signal: AbortSignal): Promise<void> => {
    const { link } = teller;
    while (link !== undefined && !signal.aborted) {
      const nowMs = timers.nowMs();
      await inTurn(async () => {
        if (isBroken(nowMs)) link.disconnect();
        else if (nowMs >= retryAtMs && !(await link.connect())) {
          retryAtMs = timers.nowMs() + RETRY_MS;
        }
      });
      await timers.sleep(CONNECT_EVERY_MS, signal);
    }
  };

  const unit: SimulatedUnit = {
    bus,
    sentUntilMs: Number.NaN,
    sentFromMs: Number.NaN,
    pending: [],
    sendUntil: async (untilMs, everyMs, signal) => {
      let stored = 0;
      while (unit.sentUntilMs < untilMs && !signal.aborted) {
        const fromMs = unit.sentUntilMs;
        const day = dayAt(fromMs);
        const toMs = Math.min(untilMs, day.endMs);
        const isHistory = toMs - fromMs > LONGEST_PRESENT_MS;
        const told = list(day, fromMs, toMs, isHistory ? HISTORY_EVERY_MS : everyMs);
        const answered = await tell(told);
        stored += answered;
        unit.sentUntilMs = told[answered]?.atMs ?? toMs;
        if (answered < told.length) break;
      }
      return stored;
    },
    sendDayBefore: async () => {
      const day = dayAt(unit.sentFromMs - 1);
      const told = list(day, day.startMs, day.endMs, EARLIER_EVERY_MS);
      const answered = await tell(told);
      if (answered === told.length) unit.sentFromMs = day.startMs;
      return answered;
    },
    isLinked: (momentMs) => momentMs >= retryAtMs && !isBroken(momentMs),
    findFragment: () => undefined,
    uploadPending: noVideo,
    deliver: noVideo,
    runCommands: keepConnected,
    close: () => teller.close(),
  };
  return unit;
}
