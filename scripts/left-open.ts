// Fails a file of tests that leaves something open: servers, children, sockets and timers would go on beside the next
// file, and fail there. Children are ended: the process of the file would wait for them without an end. Node counts neither
// threads nor children for which their parent does not wait; the latter are ended, but do not fail the file.
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll } from 'vitest';

/** Longest time to close a connection or child on a busy machine, ms. */
const LIMIT_MS = Number(process.env.LEFT_OPEN_LIMIT_MS ?? 60_000);
const POLL_MS = 20;

const PIPE = 'pipe or local server';

/** Words for what keeps a process alive (process.getActiveResourcesInfo). */
const KINDS: Readonly<Record<string, string>> = {
  TCPServerWrap: 'server',
  TCPSocketWrap: 'connection',
  ProcessWrap: 'child process',
  PipeWrap: PIPE,
  PipeConnectWrap: PIPE,
  Timeout: 'timer',
  FSEventWrap: 'watched file',
};

type Counts = Partial<Record<string, number>>;

function countOpen(): Counts {
  const counts: Record<string, number> = {};
  for (const type of process.getActiveResourcesInfo()) {
    const kind = KINDS[type];
    if (kind !== undefined) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

// Files share a worker. What an earlier file left open has failed that file, and does not fail this one.
const shared = globalThis as { leftOpen?: Counts };
// A process has pipes of its own.
const earlier = shared.leftOpen ?? { [PIPE]: countOpen()[PIPE] };

/** How many of a kind were opened by the file and are open. */
function countLeft(): [kind: string, count: number][] {
  return Object.entries(countOpen())
    .map(([kind, count = 0]): [string, number] => [kind, count - (earlier[kind] ?? 0)])
    .filter(([, count]) => count > 0);
}

// Node tells of each child that this thread starts.
const children = new Set<ChildProcess>();
const note = (message: unknown): void => {
  const { process: child } = message as { process: ChildProcess };
  children.add(child);
  child.once('exit', () => children.delete(child));
};
subscribe('child_process', note);

// The first hook after all that is registered runs last. Vitest's own timers end within a tenth of a second.
afterAll(async () => {
  const endMs = performance.now() + LIMIT_MS;
  while (countLeft().length > 0 && performance.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const left = countLeft();
  shared.leftOpen = countOpen();
  unsubscribe('child_process', note);
  for (const child of children) child.kill();
  const said = left.map(([kind, count]) => `${count} × ${kind}`).join(', ');
  if (said !== '') throw new Error(`left open at the end of the tests: ${said}`);
});
