// A small run of `npm run faults`: acknowledged records are stored once, calls are answered in time, and nothing leaks.
// An interrupted run continues.
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { senders } from '../harness/senders.ts';
import type { ByIdLedger } from './faults/by-id-load.ts';
import { summarise } from './faults/report.ts';
import { type FaultSizes, type Round, runFaults } from './faults/run.ts';

/** A failure names its seed; FAULT_SEED repeats the records and the times of the faults. */
const seed = Number(process.env.FAULT_SEED || randomInt(2 ** 31));
const KILLS = 2;
const sizes: FaultSizes = {
  seed,
  counts: { database: KILLS, server: 0, stops: 0, connections: 1, disk: 0 },
  stopS: 0,
  takenS: 3,
  fullS: 0,
  roundOf: 10,
  restMs: 0,
};

let folder: string;
let file: string;
const said: string[] = [];
let rounds: Round[];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-faults-'));
  file = path.join(folder, 'state.json');
  rounds = await runFaults(sizes, file, (line) => said.push(line));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe(`A database that is killed, and one whose connections are taken, with FAULT_SEED=${seed}`, () => {
  it('costs no acknowledged record and no video, doubles none, and is answered with 503', () => {
    for (const { records, videos, lost, doubled, sentences, failures, answered, byId } of rounds) {
      expect(records).toBeGreaterThan(100);
      // At least the videos that started with each fault.
      expect(videos).toBeGreaterThan(3);
      expect({ lost, doubled, sentences }).toEqual({ lost: 0, doubled: 0, sentences: [] });
      // Protocols over TCP have no other word for it than none.
      const ofHttp = Object.keys(failures).filter((kind) => !kind.startsWith('no answer in '));
      expect(ofHttp).toEqual(['503 unavailable']);
      expect(Object.keys(byId)).toEqual(senders.map(({ protocol }) => protocol));
      for (const [protocol, own] of Object.entries(byId)) {
        expect(own, protocol).toMatchObject({ lost: 0, doubled: 0, sentences: [] });
        expect(own.records, protocol).toBeGreaterThan(10);
      }
      expect(answered).toBeGreaterThan(0);
    }
  });

  it('ends no process, leaves no failure that nobody waited for, and few connections', () => {
    for (const { ends, after, tooLong, recoveryS } of rounds) {
      expect({ ends, unhandled: after.unhandled, tooLong }).toEqual({
        ends: 0,
        unhandled: 0,
        tooLong: 0,
      });
      // Ten connections for each of three roles, four of the job queue, and six on which something listens.
      expect(after.connections).toBeLessThanOrEqual(40);
      expect(Math.max(...recoveryS)).toBeGreaterThan(0);
    }
  });

  it('is found out to have lost what a server acknowledges too early', () => {
    const [killed] = rounds;
    expect(killed?.controlLost).toBeGreaterThan(0);
    const { lines, isWell } = summarise(rounds);
    expect(lines.at(-1)).toMatch(/lost \d+: the look finds what it is for/);
    expect(isWell).toBe(true);
    // The same figures with a lost record, or with a control that lost nothing, count as a failure.
    expect(summarise(rounds.map((round) => ({ ...round, lost: 1 }))).isWell).toBe(false);
    expect(summarise(rounds.map((round) => ({ ...round, controlLost: 0 }))).isWell).toBe(false);
    for (const { protocol } of senders) {
      const isWellWith = (change: (own: ByIdLedger) => Partial<ByIdLedger>): boolean =>
        summarise(rounds.map((round) => withChange(round, protocol, change))).isWell;
      expect(isWellWith(() => ({}))).toBe(true);
      expect(isWellWith(() => ({ doubled: 1 }))).toBe(false);
      for (const blind of ['early', 'forgotten', 'doubled'] as const) {
        const change = ({ controls }: ByIdLedger) => ({ controls: { ...controls, [blind]: 0 } });
        expect(isWellWith(change), `${protocol} ${blind}`).toBe(false);
      }
    }
  });
});

function withChange(
  round: Round,
  protocol: string,
  change: (own: ByIdLedger) => Partial<ByIdLedger>,
): Round {
  const own = round.byId[protocol];
  if (own === undefined) throw new Error(`no ledger of ${protocol}`);
  return { ...round, byId: { ...round.byId, [protocol]: { ...own, ...change(own) } } };
}

describe('A run of faults that is begun again', () => {
  it('does only what is missing', async () => {
    const again: string[] = [];
    expect(await runFaults(sizes, file, (line) => again.push(line))).toEqual(rounds);
    expect(again).toEqual([]);
    expect(said).toHaveLength(2);
  });

  it('refuses to go on with another', async () => {
    await expect(runFaults({ ...sizes, seed: seed + 1 }, file, () => undefined)).rejects.toThrow(
      /another run/,
    );
  });
});
