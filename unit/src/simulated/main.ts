// npm run simulate: runs a fleet of simulated units against any server.
import { readUnitConfig } from '../config.ts';
import { SetUpError } from '../fleet-set-up.ts';
import { createTimers } from '../uplink/timers.ts';
import { FlagError, readFlags, USAGE } from './flags.ts';
import { runFleet } from './fleet-run.ts';

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const config = readUnitConfig();
  const flags = readFlags(args, config.password);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  process.once('disconnect', () => stop.abort());
  await runFleet({
    flags,
    ffmpegPath: config.ffmpegPath,
    timers: createTimers(config.clockOffsetMs),
    signal: stop.signal,
    say: (line) => process.stdout.write(`${line}\n`),
  }).catch((error: unknown) => {
    // After a stop signal any error is a consequence of the stop.
    if (!stop.signal.aborted) throw error;
  });
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    // Errors that the operator can fix print their message; others print the stack.
    if (error instanceof FlagError) process.stderr.write(`${error.message}\n\n${USAGE}\n`);
    else if (error instanceof SetUpError) process.stderr.write(`${error.message}\n`);
    else console.error(error);
    process.exit(1);
  },
);
