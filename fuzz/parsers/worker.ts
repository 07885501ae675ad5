// The thread of a run: its parent sees when it hangs.
import { parentPort, workerData } from 'node:worker_threads';
import { parsers } from './parsers.ts';
import { type ParserRun, runParser } from './run.ts';

const { protocol, ...run } = workerData as { protocol: string } & Pick<
  ParserRun,
  'seed' | 'frames' | 'only'
>;
const parser = parsers.find((one) => one.protocol === protocol);
if (parser === undefined) throw new Error(`there is no parser of ${protocol}`);
const outcome = runParser(parser, {
  ...run,
  measuresMemory: true,
  onProgress: (link) => parentPort?.postMessage({ link }),
});
parentPort?.postMessage({ outcome });
