import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { dayOf } from '@ridewatch/contract/day';
import type { Days } from './days.ts';
import type { Flags } from './flags.ts';
import type { SimulatedUnit } from './simulated-unit.ts';
import { writeWhole } from './state.ts';
import { truthOf } from './truth.ts';

const TODAY_EVERY_MS = 60_000;

/** The part of a unit that its truth needs. */
type ToldUnit = Pick<SimulatedUnit, 'bus' | 'sentUntilMs'>;

export interface TruthWriter {
  /** Writes a bus's day to its file under --data. */
  writeDay(unit: ToldUnit, day: string): Promise<void>;
  /** The same for today, at most once a minute. */
  writeToday(unit: ToldUnit): Promise<void>;
  /** Adds a bus's days since a moment, ms since 1970 UTC, to what will be the file of --truth. */
  writeAll(unit: ToldUnit, fromMs: number): Promise<void>;
  /** Completes the file of --truth, which is that of an earlier run until then. */
  close(): Promise<void>;
}

/** Creates the writer of the truth of what the units have sent: docs/truth-file.md. */
export function createTruthWriter(
  { seed, data, truth }: Pick<Flags, 'seed' | 'data' | 'truth'>,
  days: Days,
): TruthWriter {
  // A run that is killed leaves the file of the one before, not a part of its own.
  const all = truth === undefined ? undefined : createWriteStream(`${truth}.new`);
  let isFirst = true;
  const writtenMs = new Map<ToldUnit, number>();
  const writeDay: TruthWriter['writeDay'] = async (unit, day) => {
    if (data === undefined) return;
    const file = path.join(data, 'simulated/truth', unit.bus.deviceId, `${day}.json`);
    await writeWhole(
      file,
      JSON.stringify(truthOf(seed, days.find(unit.bus, day), unit.sentUntilMs)),
    );
  };
  return {
    writeDay,
    writeToday: async (unit) => {
      const nowMs = performance.now();
      if (nowMs - (writtenMs.get(unit) ?? Number.NEGATIVE_INFINITY) < TODAY_EVERY_MS) return;
      writtenMs.set(unit, nowMs);
      await writeDay(unit, dayOf(unit.sentUntilMs - 1, unit.bus.zone));
    },
    writeAll: async (unit, fromMs) => {
      if (all === undefined) return;
      let atMs = fromMs;
      while (atMs < unit.sentUntilMs) {
        const day = days.find(unit.bus, dayOf(atMs, unit.bus.zone));
        const text = JSON.stringify(truthOf(seed, day, unit.sentUntilMs));
        const head = isFirst ? '{"format":"ridewatch-truth-1","days":[\n' : ',\n';
        isFirst = false;
        if (!all.write(head + text)) await once(all, 'drain');
        atMs = day.endMs;
      }
    },
    close: async () => {
      if (truth === undefined || all === undefined) return;
      all.end(isFirst ? '{"format":"ridewatch-truth-1","days":[]}\n' : '\n]}\n');
      await once(all, 'finish');
      await rename(`${truth}.new`, truth);
    },
  };
}
