// Runs concurrent turns, each a request or a chain of requests. A turn depends on the seed and its number only, so that
// it can be repeated.
import { type Chance, chanceOf } from '@ridewatch/unit/src/simulated/random.ts';
import { runChain } from './chains.ts';
import { type Description, type Operation, readDescription } from './description.ts';
import { judge } from './judge.ts';
import { type FuzzRequest, makeRequest } from './requests.ts';
import { pick } from './values.ts';
import { type Watched, watchProduct } from './watch.ts';
import { type Answer, curlOf, openWire } from './wire.ts';
import type { World } from './world.ts';

/** Concurrent requests by default. */
const LINES = 8;
/** Share of turns that are chains. */
const CHAINS = 0.05;
/** Requests between two reports of progress. */
const PROGRESS_EVERY = 5000;
/** Findings of one kind that are reported in full. */
const REPORTED_OF_A_KIND = 2;
/** Most delay of /healthz during the run, ms. */
export const MOST_HEALTH_MS = 200;
/** Most memory of the server with its threads, MiB: three times the usual one of a run. */
export const MOST_MEMORY_MIB = 1024;

export interface Finding {
  readonly turn: number;
  readonly call: string;
  readonly fault: string;
  /** The request as a curl command. */
  readonly curl: string;
}

export interface Outcome {
  readonly requests: number;
  readonly turns: number;
  readonly seconds: number;
  readonly findings: readonly Finding[];
  /** Number of findings by kind, reported or not. */
  readonly kinds: ReadonlyMap<string, number>;
  readonly byStatus: ReadonlyMap<number, number>;
  /** Described calls without a successful answer. */
  readonly neverSucceeded: readonly string[];
  readonly watched: Watched;
}

export interface Limits {
  readonly seed: number;
  /** The run ends with the limit that is reached first. */
  readonly requests: number;
  readonly ms: number;
  /** Concurrent requests; more of them suit a machine with a slow disk. */
  readonly lines?: number;
  /** Number of the only turn to run. */
  readonly only?: number;
  /** Called regularly with the number of requests and of kinds of findings. */
  readonly onProgress?: (requests: number, kinds: number) => void;
  /** Called for each finding. */
  readonly onFinding?: (finding: Finding) => void;
  /** Called for every answer. */
  readonly onAnswer?: (request: FuzzRequest, answer: Answer | string | undefined) => void;
}

/** Sends a product the requests of a seed and judges every answer. */
export async function run(url: string, world: World, limits: Limits): Promise<Outcome> {
  const description = await readDescription(url);
  const lines = limits.lines ?? LINES;
  const wire = openWire(url, lines);
  const watch = await watchProduct(url);
  const notes = createNotes(url, description, limits.onFinding);
  const startMs = performance.now();
  let turns = 0;
  let sent = 0;
  const send = async (request: FuzzRequest, turn: number): Promise<Answer | undefined> => {
    sent += 1;
    const answer = await wire.send(request, await world.authorize(request.asker));
    if (request.asker === 'leaver' && typeof answer === 'object') world.forget('leaver');
    if (sent % PROGRESS_EVERY === 0) limits.onProgress?.(sent, notes.kinds.size);
    limits.onAnswer?.(request, answer);
    notes.note(turn, request, answer);
    return typeof answer === 'object' ? answer : undefined;
  };
  const takeTurns = async (): Promise<void> => {
    while (sent < limits.requests && performance.now() - startMs < limits.ms) {
      const turn = limits.only ?? turns;
      turns += 1;
      if (limits.only !== undefined && turns > 1) return;
      const chance = chanceOf(limits.seed, turn);
      if (chance.happens(CHAINS)) await runChain(world, chance, (request) => send(request, turn));
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
    neverSucceeded: notes.neverSucceeded(),
    watched: await watch.stop(),
  };
}

// Expensive calls are made less often, else a run would do little else.
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
    neverSucceeded: (): string[] =>
      description.operations
        .filter((operation) => !well.has(operation))
        .map(({ method, path }) => `${method} ${path}`),
    note: (turn: number, request: FuzzRequest, answer: Answer | string | undefined): void => {
      const operation = description.at(request.method, request.url.split('?')[0] ?? '');
      if (typeof answer === 'object') {
        byStatus.set(answer.status, (byStatus.get(answer.status) ?? 0) + 1);
        if (answer.status < 400) well.add(operation);
      }
      const fault = typeof answer === 'object' ? judge(description, operation, answer) : answer;
      if (fault === undefined) return;
      const call = `${request.method} ${operation?.path ?? request.url}`;
      const kind = `${call}: ${fault.replace(/[\da-f-]{36}|\d{4,}/g, '#')}`;
      const count = (kinds.get(kind) ?? 0) + 1;
      kinds.set(kind, count);
      if (count > REPORTED_OF_A_KIND) return;
      const finding = { turn, call, fault, curl: curlOf(url, request) };
      findings.push(finding);
      onFinding?.(finding);
    },
  };
}
