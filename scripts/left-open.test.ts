import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { FileResults } from './second-look.mjs';

const root = path.resolve(import.meta.dirname, '..');

test('a file that leaves something open fails, and no other', () => {
  mkdirSync(path.join(root, 'node_modules/.cache'), { recursive: true });
  const folder = mkdtempSync(path.join(root, 'node_modules/.cache/left-open-'));
  const file = path.join(folder, 'results.json');
  const head = "import { createServer } from 'node:http';\nimport { test } from 'vitest';\n";
  const files = {
    'none.config.js': `export default { test: {
      pool: 'threads', isolate: false, fileParallelism: false,
      setupFiles: ['${path.join(root, 'scripts/left-open.ts')}'],
    } };`,
    'closed.test.js': `${head}
      test('closes', async () => {
        const server = createServer().listen(0);
        await new Promise((resolve) => server.once('listening', resolve));
        server.close();
      });`,
    'open.test.js': `${head}
      test('leaves', async () => {
        createServer().listen(0);
        setInterval(() => {}, 1000);
      });`,
  };
  try {
    for (const [name, code] of Object.entries(files)) writeFileSync(path.join(folder, name), code);
    spawnSync(
      process.execPath,
      [
        path.join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        `--root=${folder}`,
        '--config=none.config.js',
        `--reporter=${path.join(root, 'scripts/test-results.mjs')}`,
      ],
      { env: { ...process.env, TEST_RESULTS: file, VITEST: '', LEFT_OPEN_LIMIT_MS: '3000' } },
    );
    const results = JSON.parse(readFileSync(file, 'utf8')) as { files: FileResults[] };
    const failures = results.files.flatMap((one) => one.failures);
    expect(failures.map(({ name, errors }) => `${name}: ${errors[0]?.split('\n')[0]}`)).toEqual([
      'open.test.js: left open at the end of the tests: 1 × server, 1 × timer',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
