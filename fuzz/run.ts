// A run: turns, each a request or a chain of them, several at once. What a turn sends follows from the seed and its number
// alone, so that it can be sent again.
import { type Chance, chanceOf } from '@ridewatch/unit/src/simulated/random.ts';
import { runChain } from './chains.ts';
import { type Description, type Operation, readDescription } from './description.ts';
import { judge } from './judge.ts';
import { type Made, makeRequest } from './requests.ts';
import { pick } from './values.ts';
import { type Watched, watchProduct } from './watch.ts';
import { curlOf, type Heard, openWire } from './wire.ts';
import type { World } from './world.ts';

/** Requests on the way at once, unless said. */
const LINES = 8;
/** Share of turns that are chains. */
const CHAINS = 0.05;
/** Progress is told at each of so many requests. */
const PROGRESS_EVERY = 5000;
/** Findings of one kind that are told in full. */
const TOLD_OF_A_KIND = 2;
/** /healthz answers within this while anything is asked, ms: the bound of the requests as a whole. */
export const MOST_HEALTH_MS = 200;
/** The server and its threads, MiB: three times what it holds in such a run. */
export const MOST_MEMORY_MIB = 1024;

export interface Finding {
  readonly turn: number;
  readonly call: string;
  readonly fault: string;
  /** The request as a line for a shell. */
  readonly curl: string;
}

export interface Outcome {
  readonly requests: number;
  readonly turns: number;
  readonly seconds: number;
  readonly findings: readonly Finding[];
  /** How many findings of each kind, told or not. */
  readonly kinds: ReadonlyMap<string, number>;
  readonly byStatus: ReadonlyMap<number, number>;
  /** Calls that are described and were never answered with success. */
  readonly neverWell: readonly string[];
  readonly watched: Watched;
}

export interface Limits {
  readonly seed: number;
  /** It ends with whichever is reached first. */
  readonly requests: number;
  readonly ms: number;
  /** Requests on the way at once; more of them keep a machine with a slow disk busy. */
  readonly lines?: number;
  /** This turn alone. */
  readonly only?: number;
  /** Told now and then how many requests were sent, and how many kinds of findings there are. */
  readonly onProgress?: (requests: number, kinds: number) => void;
  /** Told of each finding when it is made. */
  readonly onFinding?: (finding: Finding) => void;
  /** Told of every answer. */
  readonly onAnswer?: (made: Made, heard: Heard | string | undefined) => void;
}

/** Asks a product what a seed says, and judges every answer. */
export async function run(url: string, world: World, limits: Limits): Promise<Outcome> {
  const description = await readDescription(url);
  const lines = limits.lines ?? LINES;
  const wire = openWire(url, lines);
  const watch = await watchProduct(url);
  const notes = createNotes(url, description, limits.onFinding);
  const startMs = performance.now();
  let turns = 0;
  let sent = 0;
  const send = async (made: Made, turn: number): Promise<Heard | undefined> => {
    sent += 1;
    const heard = await wire.send(made, await world.authorize(made.asker));
    if (made.asker === 'leaver' && typeof heard === 'object') world.forget('leaver');
    if (sent % PROGRESS_EVERY === 0) limits.onProgress?.(sent, notes.kinds.size);
    limits.onAnswer?.(made, heard);
    notes.note(turn, made, heard);
    return typeof heard === 'object' ? heard : undefined;
  };
  const takeTurns = async (): Promise<void> => {
    while (sent < limits.requests && performance.now() - startMs < limits.ms) {
      const turn = limits.only ?? turns;
      turns += 1;
      if (limits.only !== undefined && turns > 1) return;
      const chance = chanceOf(limits.seed, turn);
      if (chance.happens(CHAINS)) await runChain(world, chance, (made) => send(made, turn));
      else {
        const stuff = { ...world, chance, schemas: description.schemas };
        await send(makeRequest(stuff, pickCall(chance, description.operations)), turn);
      }
    }
  };
  await Promise.all(Array.from({ length: lines }, takeTurns));
  wire.close();
  const seconds = (performance.now() - startMs) / 1000;
  return {
    ...notes,
    requests: sent,
    turns,
    seconds,
    neverWell: notes.neverWell(),
    watched: await watch.stop(),
  };
}

// Calls whose work is heavy by their nature are asked less often, or a run would do little else.
function pickCall(chance: Chance, operations: readonly Operation[]): Operation {
  const picked = pick(chance, operations);
  const isHeavy = picked.path.endsWith('/from-file') || picked.path === '/api/auth/password';
  return isHeavy && chance.happens(0.8) ? pickCall(chance, operations) : picked;
}

function createNotes(url: string, description: Description, onFinding: Limits['onFinding']) {
  const findings: Finding[] = [];
  const kinds = new Map<string, number>();
  const byStatus = new Map<number, number>();
  const well = new Set<unknown>();
  return {
    findings,
    kinds,
    byStatus,
    neverWell: (): string[] =>
      description.operations
        .filter((operation) => !well.has(operation))
        .map(({ method, path }) => `${method} ${path}`),
    note: (turn: number, made: Made, heard: Heard | string | undefined): void => {
      const operation = description.at(made.method, made.url.split('?')[0] ?? '');
      if (typeof heard === 'object') {
        byStatus.set(heard.status, (byStatus.get(heard.status) ?? 0) + 1);
        if (heard.status < 400) well.add(operation);
      }
      const fault = typeof heard === 'object' ? judge(description, operation, heard) : heard;
      if (fault === undefined) return;
      const call = `${made.method} ${operation?.path ?? made.url}`;
      const kind = `${call}: ${fault.replace(/[\da-f-]{36}|\d{4,}/g, '#')}`;
      const count = (kinds.get(kind) ?? 0) + 1;
      kinds.set(kind, count);
      if (count > TOLD_OF_A_KIND) return;
      const finding = { turn, call, fault, curl: curlOf(url, made) };
      findings.push(finding);
      onFinding?.(finding);
    },
  };
}
