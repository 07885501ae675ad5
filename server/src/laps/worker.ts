// Works out days in a thread of its own, one after the other, as they come.
import { parentPort } from 'node:worker_threads';
import { lapsOfPackedDay, type PackedDay } from './packed-day.ts';
import type { DayAnswer } from './thread.ts';

parentPort?.on('message', ({ id, day }: { id: number; day: PackedDay }) => {
  parentPort?.postMessage(answerOf(id, day));
});

function answerOf(id: number, day: PackedDay): DayAnswer {
  try {
    return { id, laps: lapsOfPackedDay(day) };
  } catch (error) {
    return { id, error };
  }
}
