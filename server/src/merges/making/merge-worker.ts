// Makes one merged video in a thread and exits. An error also ends the thread and reaches its creator.
import { parentPort, workerData } from 'node:worker_threads';
import { shareStorage } from '../../storage/open.ts';
import { makeMergedVideo } from './make-merged-video.ts';
import { storedFile } from './merge-part.ts';
import type { MergeMessage, MergeOrder } from './merge-thread.ts';

const { config, ffmpeg, key, folder, parts } = workerData as MergeOrder;
const stopped = new AbortController();
parentPort?.once('message', () => stopped.abort(new Error('The merge was stopped.')));

const tell = (message: MergeMessage): void => parentPort?.postMessage(message);

// Progress is read once a second, so whole percents suffice; a message for each copied chunk would be thousands.
let told = 0;
function onProgress(share: number): void {
  const percent = Math.floor(share * 100);
  if (percent <= told) return;
  told = percent;
  tell({ share });
}

const storage = await shareStorage(config);
const files = parts.map((part) => storedFile(storage, part.key, part.sizeBytes));
const { signal } = stopped;
tell({
  merged: await makeMergedVideo({ storage, ffmpeg, key, folder, signal, onProgress }, files),
});
