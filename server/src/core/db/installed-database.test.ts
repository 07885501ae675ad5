import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';

let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-installed-'));
  database = await createTestDatabase('template1');
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const source = path.resolve(import.meta.dirname, '../..');
const backupFolder = (): string => path.join(folder, 'backup');

async function run(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number; said: string }> {
  const child = spawn(process.execPath, args, {
    cwd: source,
    env: { ...process.env, DATABASE_URL: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  const said = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, said: said.join('') };
}

describe.each([
  ['a backup', () => ['backup/main.ts', 'backup', backupFolder()]],
  ['the list of users', () => ['auth/user-command.ts', 'list']],
])('%s without the environment of the service', (_name, args) => {
  it('makes no database, and names the folder that has none', async () => {
    const dataDir = path.join(folder, 'data');
    const { code, said } = await run(args(), { DATA_DIR: dataDir });
    expect(code).toBe(1);
    expect(said).toMatch(/^There is no database in .+ environment of the service.+\n$/);
    expect(said).toContain(dataDir);
    expect(existsSync(dataDir)).toBe(false);
    expect(existsSync(backupFolder())).toBe(false);
  });

  it('makes no tables in a database without them', async () => {
    const { code, said } = await run(args(), { DATABASE_URL: database.url });
    expect(code).toBe(1);
    expect(said).toMatch(/^The database has no tables: .+ environment of the service.+\n$/);
    const { rows } = await database.pool.query(`select to_regclass('migrations') as found`);
    expect(rows).toEqual([{ found: null }]);
    expect(existsSync(backupFolder())).toBe(false);
  });
});
