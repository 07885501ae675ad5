import type { Health } from './health.ts';
import type { Phase, Round } from './run.ts';
import { phases } from './run.ts';

/** The outcome of a phase, and whether it is as promised. */
export interface Summary {
  readonly lines: readonly string[];
  readonly isWell: boolean;
}

/** Sums the rounds of a run up, a block a phase. */
export function summarise(rounds: readonly Round[]): Summary {
  const done = phases.filter((phase) => rounds.some((round) => round.phase === phase));
  const parts = done.map((phase) => summarisePhase(phase, rounds));
  const killed = rounds.filter(({ phase }) => phase === 'server' || phase === 'database');
  const found = Math.max(0, ...killed.map(({ controlLost }) => controlLost));
  // A look that finds nothing wrong with a server that acknowledges too early finds nothing.
  const isSharp = killed.length === 0 || found > 0;
  const control = isSharp
    ? `The control, a server that acknowledges too early, lost ${found}: the look finds what it is for.`
    : 'THE CONTROL LOST NOTHING: the look is blind.';
  const others = summariseControls(rounds, killed);
  const own = killed.length === 0 ? [] : [control];
  return {
    lines: [
      ...parts.flatMap(({ lines }) => lines),
      ...others.flatMap(({ lines }) => lines),
      ...own,
    ],
    isWell: [...parts, ...others, { isWell: isSharp }].every(({ isWell }) => isWell),
  };
}

// The controls of each other protocol; a server loses what it holds only when it is killed.
function summariseControls(rounds: readonly Round[], killed: readonly Round[]): Summary[] {
  const protocols = [...new Set(rounds.flatMap(({ byId }) => Object.keys(byId)))];
  return protocols.map((protocol) => {
    const most = (some: readonly Round[], name: 'early' | 'forgotten' | 'doubled'): number =>
      Math.max(0, ...some.map(({ byId }) => byId[protocol]?.controls[name] ?? 0));
    const early = most(killed, 'early');
    const forgotten = most(rounds, 'forgotten');
    const doubled = most(rounds, 'doubled');
    const isSharp = (killed.length === 0 || early > 0) && forgotten > 0 && doubled > 0;
    const said = `confirmed too early ${early}, forgotten ${forgotten}, doubled ${doubled}`;
    return {
      lines: [`The controls of ${protocol}: ${said}${isSharp ? '' : ': THE LOOK IS BLIND'}`],
      isWell: isSharp,
    };
  });
}

// Figures of the last round for each other protocol, and the faults of all rounds.
function summariseById(rounds: readonly Round[]): Summary {
  const faults = rounds.flatMap(({ byId }) =>
    Object.values(byId).flatMap(({ lost, doubled, sentences }) => [
      ...(lost > 0 ? [`lost ${lost}`] : []),
      ...(doubled > 0 ? [`doubled ${doubled}`] : []),
      ...sentences,
    ]),
  );
  const lines = Object.entries(rounds.at(-1)?.byId ?? {}).map(([protocol, own]) => {
    const { cuts, lost, silences, restarts } = own.count;
    return `  ${protocol}: ${own.records} records in the last ledger, lost ${own.lost}, doubled ${own.doubled}; links cut in a message ${cuts}, confirmations lost ${lost}, not in time ${silences}, devices restarted ${restarts}`;
  });
  return { lines: [...lines, ...faults.map((text) => `    ${text}`)], isWell: faults.length === 0 };
}

function summarisePhase(phase: Phase, all: readonly Round[]): Summary {
  const rounds = all.filter((round) => round.phase === phase);
  const sum = (of: (round: Round) => number): number =>
    rounds.reduce((total, round) => total + of(round), 0);
  const last = rounds.at(-1);
  const first = rounds[0];
  const lost = sum((round) => round.lost);
  const doubled = sum((round) => round.doubled);
  const sentences = rounds.flatMap((round) => round.sentences);
  const failures: Record<string, number> = {};
  for (const [kind, count] of rounds.flatMap((round) => Object.entries(round.failures))) {
    failures[kind] = (failures[kind] ?? 0) + count;
  }
  const kinds = Object.entries(failures).map(([kind, count]) => `${kind}: ${count}`);
  const strange = Object.keys(failures).filter((kind) => !/^(no answer|503 |507 )/.test(kind));
  const hurried = sum((round) => round.tooLong);
  const ends = sum((round) => round.ends);
  const unhandled = Math.max(...rounds.map(({ after }) => after.unhandled));
  const byId = summariseById(rounds);
  return {
    lines: [
      `${phase}: ${sum((round) => round.faults)} faults, ${last?.records ?? 0} records and ${last?.videos ?? 0} videos in the last ledger`,
      `  lost ${lost}, doubled ${doubled}, faults named ${sentences.length}`,
      ...sentences.map((text) => `    ${text}`),
      ...byId.lines,
      `  calls answered ${sum((round) => round.answered)}; failed: ${kinds.join(', ') || 'none'}`,
      `  longest call ${(Math.max(...rounds.map((round) => round.longestMs)) / 1000).toFixed(1)} s, over 10 s: ${hurried}`,
      `  seconds to recover: ${spread(rounds.flatMap((round) => round.recoveryS))}`,
      `  connections ${first?.before.connections} before, ${last?.after.connections} after`,
      `  memory of the server ${memoryOf(first?.before)} before, ${memoryOf(last?.after)} after`,
      `  the server ended by itself ${ends} times; unhandled failures ${unhandled}; runners started again ${Math.max(
        ...rounds.map(({ after }) => after.runnerRestarts),
      )}`,
    ],
    isWell:
      byId.isWell &&
      lost + doubled + sentences.length + strange.length + hurried + ends + unhandled === 0,
  };
}

function memoryOf(health: Health | undefined): string {
  return `${health?.memoryMb} MB (${health?.heapMb} MB in objects)`;
}

function spread(seconds: readonly number[]): string {
  const sorted = [...seconds].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return `median ${median.toFixed(1)}, worst ${(sorted.at(-1) ?? 0).toFixed(1)}`;
}
