import { findNotifications, type Notifications } from '@ridewatch/contract/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../calls/api.ts';
import { setLanguage } from '../i18n/language.ts';
import { merge } from '../test/made-merges.ts';
import { notifications } from '../test/made-notifications.ts';
import { freshServer } from '../test/open.tsx';
import type { FakeServer } from '../test/server.ts';
import { NotificationBell } from './notification-bell.tsx';

let server: FakeServer;
let shown: Notifications;
/** Times of the reads, ms after the bell was shown. */
let reads: number[];

// The bell alone, under a clock that only the test moves: how long a machine takes to load a page must not count.
beforeEach(async () => {
  server = freshServer();
  await setLanguage('en_US');
  vi.useFakeTimers();
  reads = [];
});
afterEach(() => {
  vi.useRealTimers();
});

function showBell(first = notifications()) {
  const startMs = Date.now();
  shown = first;
  server.answer(findNotifications, () => {
    reads.push(Date.now() - startMs);
    return shown;
  });
  render(
    <QueryClientProvider client={queryClient}>
      <NotificationBell />
    </QueryClientProvider>,
  );
}

const { setImmediate: realTurn } = globalThis;
/** Lets time pass in steps, each with the answers to the questions that it brings. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 500) {
    await act(() => vi.advanceTimersByTimeAsync(Math.min(left, 500)));
    while (queryClient.isFetching() > 0) {
      await act(() => new Promise<void>((resolve) => realTurn(resolve)));
    }
  }
}

describe('the poll of the notifications', () => {
  it('begins after the screen, and asks every 30 seconds', async () => {
    showBell();
    await pass(100_000);
    expect(reads).toEqual([5_000, 35_000, 65_000, 95_000]);
  });

  it('asks every two seconds while a merge is in progress', async () => {
    showBell(notifications({ merges: [merge(4, { status: 'PROCESS' })] }));
    await pass(10_000);
    expect(reads).toEqual([5_000, 7_000, 9_000]);
    shown = notifications({ merges: [merge(4)] });
    await pass(30_000);
    expect(reads).toEqual([5_000, 7_000, 9_000, 11_000]);
  });

  it('is quiet while the tab is hidden', async () => {
    showBell();
    await pass(6_000);
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    await pass(120_000);
    expect(reads).toEqual([5_000]);
    visibility.mockRestore();
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });
});
