// npm test -- changed: the quick tests that the changes can reach, for use while working.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { buildWeb } from './build-web.ts';
import { type Counts, type Found, runTests } from './run-tests.ts';
import { root, say } from './setup.mjs';
import { findStories, mainStories } from './stories.ts';

/** More stories than this take longer than one waits for while working. */
const MOST_STORIES = 4;
/** The tests that read migrations; no test imports them. */
const OF_MIGRATIONS = ['server/src/backup/older-version.test.ts'];

/**
 * Runs the unit and screen tests that import what has changed, and the stories of the rooms that it can reach.
 * @param since a commit; by default the last one that the branch has upstream, or else the last one
 * @throws Error if git does not know the commit
 */
export async function runChanged(
  found: Found,
  counts: Counts,
  since: string | undefined,
): Promise<void> {
  const from = since ?? upstream() ?? 'HEAD';
  const changed = listChanged(from);
  say(`${changed.length} files differ from ${from}`);
  const migrations = changed.some((file) => file.startsWith('server/migrations/'));
  const related = [...changed.filter(isThere), ...(migrations ? OF_MIGRATIONS : [])];
  if (related.length > 0) {
    await runTests(found, counts, { projects: ['unit', 'web', 'screens'], related });
  }
  const stories = listStories(changed);
  if (stories.length > 0) {
    buildWeb(found.node);
    await runTests(found, counts, { projects: ['e2e'], related: stories });
  }
  if (counts.passed + counts.failures.length === 0) say('No test is reached by the changes');
}

// Vitest adds the stories that import a changed file of the harness.
function listStories(changed: readonly string[]): string[] {
  const names = findStories(root, changed);
  const reached = names.length > MOST_STORIES ? mainStories : names;
  if (reached !== names) {
    say(`The changes reach ${names.length} stories; npm test runs all: ${names.join(', ')}`);
  }
  const files = reached.map((name) => `e2e/${name}.test.ts`);
  return [
    ...new Set([
      ...files,
      ...changed.filter((file) => /^(?:e2e|harness)\//.test(file) && isThere(file)),
    ]),
  ];
}

const isThere = (file: string): boolean => existsSync(path.join(root, file));

function listChanged(from: string): string[] {
  const changed = git('diff', '--name-only', from);
  const added = git('ls-files', '--others', '--exclude-standard');
  return [...changed, ...added];
}

function upstream(): string | undefined {
  try {
    return git('merge-base', 'HEAD', '@{upstream}')[0];
  } catch {
    return undefined;
  }
}

function git(...args: readonly string[]): string[] {
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: [...stdio] })
    .split('\n')
    .filter(Boolean);
}
