// Fails a file of tests that leaves something open: servers, children, sockets and timers would go on beside the next
// file, and fail there.
import { afterAll } from 'vitest';

/** Longest time to close a connection or child on a busy machine, ms. */
const LIMIT_MS = Number(process.env.LEFT_OPEN_LIMIT_MS ?? 60_000);
const POLL_MS = 20;

/** What keeps a process alive (process.getActiveResourcesInfo), in words. */
const KINDS: Readonly<Record<string, string>> = {
  TCPServerWrap: 'server',
  TCPSocketWrap: 'connection',
  ProcessWrap: 'child process',
  PipeConnectWrap: 'pipe',
  Timeout: 'timer',
  FSEventWrap: 'watched file',
  Worker: 'thread',
};

type Counts = Partial<Record<string, number>>;

// Files share a worker. What an earlier file left open has failed that file, and does not fail this one.
const shared = globalThis as { leftOpen?: Counts };

function countOpen(): Counts {
  const counts: Record<string, number> = {};
  for (const type of process.getActiveResourcesInfo()) {
    const kind = KINDS[type];
    if (kind !== undefined) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

function listLeft(): string[] {
  const earlier = shared.leftOpen ?? {};
  return Object.entries(countOpen()).flatMap(([kind, count = 0]) => {
    const more = count - (earlier[kind] ?? 0);
    return more > 0 ? [`${more} × ${kind}`] : [];
  });
}

// The first hook after all that is registered runs last. Vitest's own timers end within a tenth of a second.
afterAll(async () => {
  const endMs = performance.now() + LIMIT_MS;
  while (listLeft().length > 0 && performance.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const left = listLeft();
  shared.leftOpen = countOpen();
  if (left.length > 0) throw new Error(`left open at the end of the tests: ${left.join(', ')}`);
});
