// npm run replay: sends recordings of real buses to any server.
import { readUnitConfig } from '../config.ts';
import { SetUpError } from '../fleet-set-up.ts';
import { createTimers } from '../uplink/timers.ts';
import { CAPTURE_USAGE, readCaptureFlags, replayCapture } from './capture.ts';
import { CaptureError } from './capture-run.ts';
import { RecordingError } from './columns.ts';
import { readReplayFlags, USAGE } from './flags.ts';
import { replay } from './replay.ts';

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    process.stdout.write(`${USAGE}\n${CAPTURE_USAGE}\n`);
    return;
  }
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  const config = readUnitConfig();
  const run = {
    timers: createTimers(config.clockOffsetMs),
    signal: stop.signal,
    say: (line: string) => void process.stdout.write(`${line}\n`),
  };
  if (args.some((arg) => arg.startsWith('--protocol'))) {
    await replayCapture({ ...run, flags: readCaptureFlags(args) });
  } else {
    await replay({ ...run, flags: readReplayFlags(args, config.password) });
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const isPlain = [RecordingError, CaptureError, SetUpError].some((one) => error instanceof one);
    if (error instanceof Error && isPlain) {
      process.stderr.write(`${error.message}\n`);
    } else {
      console.error(error);
    }
    process.exit(1);
  },
);
