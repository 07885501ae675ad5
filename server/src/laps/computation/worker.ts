// Computes days in a thread, one after the other.
import { parentPort } from 'node:worker_threads';
import { lapsOfPackedDay, type PackedDay } from './packed-day.ts';
import type { DayAnswer } from './thread.ts';

parentPort?.on('message', (day: PackedDay) => {
  parentPort?.postMessage(answerOf(day));
});

function answerOf(day: PackedDay): DayAnswer {
  try {
    return { laps: lapsOfPackedDay(day) };
  } catch (error) {
    return { error };
  }
}
