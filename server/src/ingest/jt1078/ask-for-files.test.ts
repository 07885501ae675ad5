import { Jt808Settings } from '@ridewatch/contract/unit-protocols';
import { expect, it } from 'vitest';
import type { TerminalAnswer } from '../jt808/requests.ts';
import type { Terminals } from '../jt808/terminals.ts';
import { createFileLists } from './ask-for-files.ts';
import type { ServedUnit } from './served-unit.ts';

const SILENCE: TerminalAnswer = { kind: 'silence' };
const REFUSAL: TerminalAnswer = { kind: 'result', result: 1 };
const LONG_MS = 60_000;
const SHORT_MS = 15_000;

/** Lists of terminals that answer so, one after the other; then they are silent. @returns how long they were waited for */
function listsWith(...answers: readonly (TerminalAnswer | undefined)[]) {
  const waits: number[] = [];
  const ask: Terminals['ask'] = async (_, { waitMs }) => {
    waits.push(waitMs);
    return waits.length > answers.length ? SILENCE : answers[waits.length - 1];
  };
  const lists = createFileLists({ ask });
  const of = (unitId: number): ServedUnit => ({
    unit: { ...{ unitId, deviceId: 'u', busId: 1, assignedFromMs: 0, pastAssignments: [] } },
    settings: Jt808Settings.parse({}),
  });
  const period = { startMs: 0, endMs: 1 };
  return {
    ...{ lists, waits },
    look: (unitId = 1) => lists.forLook(of(unitId), 1, period),
    fetch: (unitId = 1) => lists.forRange(of(unitId), 1, period),
  };
}

it('after a terminal was silent the next lists of a look are waited for less, until it answers', async () => {
  // One that has left may be another device when it is back.
  const { look, waits } = listsWith(SILENCE, SILENCE, REFUSAL, SILENCE, undefined, SILENCE);
  for (let times = 0; times < 6; times += 1) await look();
  expect(waits).toEqual([LONG_MS, SHORT_MS, SHORT_MS, LONG_MS, SHORT_MS, LONG_MS]);
  await look(2);
  expect(waits.at(-1)).toBe(LONG_MS);
});

it('a range that a user asks for has its time also after a terminal was silent', async () => {
  const { look, fetch, waits } = listsWith();
  for (const ask of [look, fetch, fetch, look]) await ask();
  expect(waits).toEqual([LONG_MS, LONG_MS, LONG_MS, SHORT_MS]);
});

it('a list that comes late shows that its terminal makes lists', async () => {
  const { lists, look, waits } = listsWith();
  await look();
  lists.late(1);
  await look();
  expect(waits).toEqual([LONG_MS, LONG_MS]);
});
