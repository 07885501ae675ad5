import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { measureBudgets } from './budgets.ts';
import { buildWeb } from './build-web.ts';
import { findLostPaths } from './doc-paths.ts';
import type { Failure } from './second-look.ts';
import { root, say } from './setup.mjs';
import { describeRecord } from './test-record.ts';

/**
 * Runs every check that needs no running product, and prints one line for each.
 * @param node path of the Node to run with
 */
export function runChecks(node: string): { passed: number; failures: Failure[] } {
  const bin = (file: string): string => path.join(root, 'node_modules', file);
  const checks: [name: string, check: () => string | undefined][] = [
    ['format and lint', () => command(bin('.bin/biome'), ['check', '--error-on-warnings'])],
    ['import fences', () => command(node, ['scripts/check-fences.ts'])],
    [
      'packages and rooms in docs/architecture.md',
      () => command(node, ['scripts/rooms-table.ts', '--check']),
    ],
    ['documents name what is there', () => findLostPaths(root).join('\n') || undefined],
    [
      'the walks of docs/architecture.md name what they pass',
      () => command(node, ['scripts/check-walks.ts']),
    ],
    ['types', () => command(bin('.bin/tsc'), ['-p', '.'])],
    [
      'types of the screens, both languages complete',
      () => command(bin('.bin/tsc'), ['-p', 'web']),
    ],
    ['types of the stories and the bench', () => command(bin('.bin/tsc'), ['-p', 'e2e'])],
    ['dead code', () => command(node, [bin('knip/bin/knip.js'), '--no-progress'])],
    [
      'database types are those of the migrations',
      () => command(node, ['scripts/db-types.ts', '--check']),
    ],
    [
      'licences are those of the lock file',
      () => command(node, ['scripts/licences.ts', '--check']),
    ],
    ['screens build', () => silently(() => buildWeb(node))],
    ['JavaScript and CSS budgets', () => silently(checkBudgets)],
  ];
  say(execFileSync(node, ['scripts/house.ts'], { cwd: root, encoding: 'utf8' }).trimEnd());
  const failures: Failure[] = [];
  for (const [name, check] of checks) {
    const message = check();
    say(`${message === undefined ? 'ok  ' : 'FAIL'} ${name}`);
    if (message === undefined) continue;
    say(message);
    failures.push({ name, errors: [message] });
  }
  say(describeRecord());
  return { passed: checks.length - failures.length, failures };
}

function command(program: string, args: readonly string[]): string | undefined {
  const done = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  return done.status === 0
    ? undefined
    : `${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}`;
}

function silently(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

function checkBudgets(): void {
  for (const { name, kind, bytes, most } of measureBudgets()) {
    say(`     ${name}: ${(bytes / 1000).toFixed(1)} kB ${kind} of ${most / 1000} kB`);
    if (bytes > most) throw new Error(`${name}: ${bytes} bytes of ${kind}, more than ${most}.`);
  }
}
