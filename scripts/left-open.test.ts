import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { FileResults } from './second-look.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Runs Vitest on files in a folder of their own. @returns what failed, once it has ended */
function run(pool: string, files: Readonly<Record<string, string>>): string[] {
  mkdirSync(path.join(root, 'node_modules/.cache'), { recursive: true });
  const folder = mkdtempSync(path.join(root, 'node_modules/.cache/left-open-'));
  const file = path.join(folder, 'results.json');
  const config = `export default { test: {
    ${pool}, fileParallelism: false, setupFiles: ['${path.join(root, 'scripts/left-open.ts')}'],
  } };`;
  try {
    writeFileSync(path.join(folder, 'none.config.js'), config);
    for (const [name, code] of Object.entries(files)) writeFileSync(path.join(folder, name), code);
    spawnSync(
      process.execPath,
      [
        path.join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        `--root=${folder}`,
        '--config=none.config.js',
        `--reporter=${path.join(root, 'scripts/test-results.ts')}`,
      ],
      {
        cwd: folder,
        env: { ...process.env, TEST_RESULTS: file, VITEST: '', LEFT_OPEN_LIMIT_MS: '1000' },
      },
    );
    const results = JSON.parse(readFileSync(file, 'utf8')) as { files: FileResults[] };
    const failures = results.files.flatMap((one) => one.failures);
    return failures.map(({ name, errors }) => `${name}: ${errors[0]?.split('\n')[0]}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a file that leaves something open fails, and no other', () => {
  const head = "import { createServer } from 'node:http';\nimport { test } from 'vitest';\n";
  const failures = run("pool: 'threads', isolate: false", {
    'closed.test.js': `${head}
      test('closes', async () => {
        const server = createServer().listen(0);
        await new Promise((resolve) => server.once('listening', resolve));
        server.close();
      });`,
    'open.test.js': `${head}
      test('leaves', async () => {
        createServer().listen(0);
        createServer().listen('local.sock');
        setInterval(() => {}, 1000);
      });`,
  });
  expect(failures).toEqual([
    'open.test.js: left open at the end of the tests: 1 × server, 1 × pipe or local server, 1 × timer',
  ]);
});

test('a run ends though a file left a child, whose pipe would keep its process', () => {
  const failures = run("pool: 'forks'", {
    'child.test.js': `import { spawn } from 'node:child_process';
      import { test } from 'vitest';
      test('leaves', () => {
        spawn('sleep', ['600'], { stdio: ['ignore', 'pipe', 'inherit'] });
      });`,
  });
  expect(failures).toEqual([
    'child.test.js: left open at the end of the tests: 1 × pipe or local server, 1 × child process',
  ]);
});
