import type { Studio } from './clip-studio.ts';
import type { Recording } from './demo-counted.ts';
import type { FailureLog } from './failure-log.ts';
import type { SimulatedUnit, UnitOptions } from './simulated-unit.ts';

/**
 * Makes and uploads the clips of pending fragments; the others stay pending.
 * @returns the wanted fragments
 */
export async function makeClipsBeforehand(
  units: readonly SimulatedUnit[],
  studio: Studio,
  context: {
    isWanted: UnitOptions['isQueued'];
    signal: AbortSignal;
    failures: FailureLog;
    /** Called after each clip. */
    onClip: (done: number, all: number) => void;
  },
): Promise<Recording[]> {
  const { isWanted, signal, failures, onClip } = context;
  const wanted = units.flatMap((unit) =>
    unit.pending.flatMap((upload) => {
      const fragment = unit.findFragment(upload);
      return fragment && isWanted(unit.bus, fragment) ? [{ unit, upload, fragment }] : [];
    }),
  );
  let done = 0;
  const fragments = wanted.map(({ fragment }) => fragment);
  await studio.makeAll(fragments, async (clip, index) => {
    signal.throwIfAborted();
    const one = wanted[index];
    if (one === undefined) return;
    await one.unit.deliver(one.upload, clip, signal).catch((error: unknown) => {
      // The upload stays pending and is retried in the present.
      failures(one.unit.bus, error instanceof Error ? error.message : String(error));
    });
    done += 1;
    onClip(done, wanted.length);
  });
  return wanted.map(({ unit, fragment }) => ({ bus: unit.bus, fragment }));
}
