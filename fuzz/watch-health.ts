// The thread of watch.ts: polls /healthz and returns the delays of its answers at the end, ms.
import http from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const EVERY_MS = 20;

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const delays: number[] = [];
let stopped = false;
parentPort?.once('message', () => {
  stopped = true;
});

function ask(): Promise<void> {
  const startMs = performance.now();
  return new Promise((resolve) => {
    const note = (): void => {
      delays.push(performance.now() - startMs);
      resolve();
    };
    const request = http.get(`${String(workerData)}/healthz`, { agent }, (answer) => {
      answer.resume();
      answer.once('end', note);
    });
    // A failed request counts with its time; the other requests show the reason.
    request.once('error', note);
  });
}

while (!stopped) {
  await ask();
  await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
}
agent.destroy();
parentPort?.postMessage(delays);
