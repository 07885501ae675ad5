// Starts the server as `npm start` does, over a database.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/** The program of the server. */
export const MAIN = path.resolve(import.meta.dirname, '../main.ts');

/**
 * Starts the server, and stops it once it is ready.
 * @param environment its variables, with the addresses of its database and folder of data
 * @returns all that it printed
 */
export async function printedBy(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      // The usual ports of units may be those of a product that runs beside the tests.
      ...{ EGTS_PORT: '0', JT808_PORT: '0', JT1078_PORT: '0', FTP_PORT: '0' },
      ...environment,
      ...{ LOG_LEVEL: 'info', HOST: '127.0.0.1', PORT: '0', PUBLIC_URL: 'https://buses.example' },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors = text(child.stderr);
  let stdout = '';
  for await (const line of createInterface(child.stdout)) {
    stdout += `${line}\n`;
    if (line.includes('"msg":"ready"')) child.kill('SIGTERM');
  }
  return { stderr: await errors, stdout };
}
