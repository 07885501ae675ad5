// The database of an installation, for commands on its machine, whether the server runs or not.
import type { Config } from '../config.ts';
import { StartError } from '../errors.ts';
import { connectUnlimited } from './connections.ts';
import { embeddedFolder, makeDataDir } from './data-dir.ts';
import { isDatabaseFolder, startDatabaseProcess } from './database-process.ts';

/** The advice to an operator who has run a command with the defaults by mistake. */
export const REMEDY =
  'Give the command the environment of the service, DATA_DIR and DATABASE_URL above all; docs/install.md says how.';

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>;

/** A database that a command has opened. */
export interface InstalledDatabase {
  readonly url: string;
  /** Stops the embedded one unless a server runs it. */
  close(): Promise<void>;
}

/**
 * Opens the database of an installation that has been started before, and makes none.
 * @throws StartError that names the folder without a database, or says that the database has no tables
 */
export async function openInstalledDatabase(config: Place): Promise<InstalledDatabase> {
  if (
    config.databaseUrl === undefined &&
    !(await isDatabaseFolder(embeddedFolder(config.dataDir)))
  ) {
    throw new StartError(`There is no database in ${config.dataDir}. ${REMEDY}`);
  }
  const database = await open(config);
  try {
    await expectTables(database.url);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens the database that a backup is restored into; the embedded one is made if necessary. */
export async function openNewDatabase(config: Place): Promise<InstalledDatabase> {
  if (config.databaseUrl === undefined) await makeDataDir(config.dataDir);
  return open(config);
}

async function open({ databaseUrl, dataDir }: Place): Promise<InstalledDatabase> {
  if (databaseUrl !== undefined) return { url: databaseUrl, close: async () => undefined };
  const embedded = await startDatabaseProcess(embeddedFolder(dataDir));
  return {
    url: embedded.url,
    close: async () => {
      if (!embedded.adopted) await embedded.stop();
    },
  };
}

async function expectTables(url: string): Promise<void> {
  const client = await connectUnlimited(url, 'ridewatch command');
  try {
    const { rows } = await client.query<{ found: boolean }>(
      `select to_regclass('migrations') is not null as found`,
    );
    if (rows[0]?.found === true) return;
    throw new StartError(`The database has no tables: no server has used it yet. ${REMEDY}`);
  } finally {
    await client.end();
  }
}
