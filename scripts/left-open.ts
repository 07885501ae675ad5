// Fails a file of tests that leaves something open: servers, children, sockets and timers would go on beside the next
// file, and fail there. Children are ended: the process of the file would wait for them without an end. Node lists no
// threads and no children that their parent does not wait for.
import { execFileSync } from 'node:child_process';
import { isMainThread } from 'node:worker_threads';
import { afterAll } from 'vitest';

/** Longest time to close a connection or child on a busy machine, ms. */
const LIMIT_MS = Number(process.env.LEFT_OPEN_LIMIT_MS ?? 60_000);
const POLL_MS = 20;

const CHILD = 'child process';
const PIPE = 'pipe or local server';

/** What keeps a process alive (process.getActiveResourcesInfo), in words. */
const KINDS: Readonly<Record<string, string>> = {
  TCPServerWrap: 'server',
  TCPSocketWrap: 'connection',
  ProcessWrap: CHILD,
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

// Threads of one process cannot tell whose a child is.
function endChildren(): void {
  if (!isMainThread) return;
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' });
  for (const line of all.split('\n')) {
    const [pid, parent, command] = line.trim().split(/\s+/);
    if (Number(parent) !== process.pid || command === 'ps') continue;
    try {
      process.kill(Number(pid));
    } catch {
      // It has ended meanwhile.
    }
  }
}

// The first hook after all that is registered runs last. Vitest's own timers end within a tenth of a second.
afterAll(async () => {
  const endMs = performance.now() + LIMIT_MS;
  while (countLeft().length > 0 && performance.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const left = countLeft();
  shared.leftOpen = countOpen();
  if (left.some(([kind]) => kind === CHILD)) endChildren();
  const said = left.map(([kind, count]) => `${count} × ${kind}`).join(', ');
  if (said !== '') throw new Error(`left open at the end of the tests: ${said}`);
});
