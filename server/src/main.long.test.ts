// Starts that main.test.ts has in one process, or not at all.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { insertTestUser } from './test/fleet.ts';
import { printedBy } from './test/printed-start.ts';
import { createTestDatabase } from './test/test-database.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-main-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('A start of an installation with an administrator prints nothing but the log', async () => {
  const database = await createTestDatabase();
  await insertTestUser(database.db, 'chief', 'ADMIN', null);
  const { stderr, stdout } = await printedBy({
    ...process.env,
    ...{ DATABASE_URL: database.url, DATA_DIR: path.join(folder, 'data') },
  });
  await database.drop();
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^({.+}\n)+$/);
  expect(stdout).not.toContain('/setup');
});
