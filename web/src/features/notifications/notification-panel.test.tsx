import { listBuses } from '@ridewatch/contract/buses';
import { requestMerge } from '@ridewatch/contract/merges';
import { searchNews } from '@ridewatch/contract/news';
import {
  findNotifications,
  PENDING_POLL_MS,
  readNotifications,
} from '@ridewatch/contract/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { refreshNotifications } from '../../notification-poll/use-notifications.ts';
import { bus, busList, page } from '../../test/made.ts';
import { merge } from '../../test/made-merges.ts';
import { cause, newsItem, notifications } from '../../test/made-notifications.ts';
import { openReport } from '../../test/made-reports.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(listBuses, busList([bus(1)]));
  server.answer(readNotifications, undefined as never);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function openPanel(device: 'desktop' | 'phone' = 'desktop') {
  const view = await openScreen(server, '/buses', { device });
  await view.hand.click(await screen.findByRole('button', { name: /^(Notifications|Events)/ }));
  const panel = await screen.findByRole('dialog', { name: /^Notifications/ });
  return { ...view, panel: within(panel) };
}

describe('the notification panel', () => {
  it('shows what needs attention, merges, reports and news, each in its part', async () => {
    server.answer(
      findNotifications,
      notifications({
        causes: [
          cause(1),
          cause(2, {
            details: {
              ...{ kind: 'imbalance', day: '2026-03-10' },
              ...{ entered: 286, exited: 246, percent: 14 },
            },
          }),
        ],
        merges: [merge(4)],
        reports: [openReport(3, 40)],
        news: [newsItem(1), newsItem(2, { read: true })],
      }),
    );
    const { panel } = await openPanel();
    const attention = within(await panel.findByRole('region', { name: 'Attention' }));
    expect(attention.getAllByRole('listitem')[0]).toHaveTextContent(
      /А 7 АА 156 · 14:00has sent nothing for/,
    );
    expect(attention.getByText('entered and exited differ by 14 %: 286 / 246')).toBeVisible();
    expect(panel.getByRole('region', { name: 'Merged videos' })).toHaveTextContent('Дверь 1');
    expect(panel.getByRole('region', { name: 'Reports' })).toHaveTextContent('40 %');
    const news = within(panel.getByRole('region', { name: 'News' }));
    expect(news.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'News 1 unreadText10.03',
      'News 2Text10.03',
    ]);
  });

  it('leads from a cause to its bus, and closes', async () => {
    server.answer(findNotifications, notifications({ causes: [cause(1)] }));
    const { panel, hand, address } = await openPanel();
    await hand.click(await panel.findByRole('link', { name: /А 7 АА/ }));
    expect(address()).toMatch(/\/bus\/7$/);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('has one filled button: that of a merged video nobody has taken away', async () => {
    const failed = { status: 'FAILED', fail_reason: 'no_space', download: null } as const;
    server.answer(
      findNotifications,
      notifications({ merges: [merge(4), merge(5, { status: 'SENT' }), merge(6, failed)] }),
    );
    const { panel } = await openPanel();
    const merges = within(await panel.findByRole('region', { name: 'Merged videos' }));
    expect(merges.getByRole('heading')).toHaveTextContent('Merged videos 3kept for 7 days');
    const buttons = merges
      .getAllByRole('button')
      .filter(({ dataset }) => dataset.kind === 'primary');
    expect(buttons.map(({ textContent }) => textContent)).toEqual(['Download']);
    expect(merges.getByText('The server is out of disk space')).toBeVisible();
  });

  it('leads to the news', async () => {
    server.answer(findNotifications, notifications({ news: [newsItem(1)] }));
    server.answer(searchNews, page([newsItem(1)]));
    const { panel, hand, address } = await openPanel();
    await hand.click(await panel.findByRole('link', { name: 'all news' }));
    expect(address()).toMatch(/\/news$/);
  });

  it('says how many more news there are, and how many of them are unread, and leads to them', async () => {
    const shown = notifications({ news: [newsItem(1), newsItem(2, { read: true })] });
    server.answer(findNotifications, { ...shown, news: { ...shown.news, unread: 30, total: 34 } });
    server.answer(searchNews, page([newsItem(1)]));
    const { panel, hand, address } = await openPanel();
    await hand.click(await panel.findByRole('link', { name: 'and 32 more · unread: 29' }));
    expect(address()).toMatch(/\/news$/);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('says of a bell that stays filled which news are left', async () => {
    const shown = notifications({ news: [newsItem(1), newsItem(2)] });
    const more = { ...shown, unread: 3, news: { ...shown.news, unread: 3, total: 3 } };
    server.answer(findNotifications, more);
    const { panel, hand } = await openPanel();
    await panel.findByText('News 1');
    await hand.click(panel.getByRole('button', { name: 'Close' }));
    await hand.click(await screen.findByRole('button', { name: 'Notifications: 1' }));
    expect(await screen.findByRole('link', { name: 'and 1 more · unread: 1' })).toBeVisible();
    expect(screen.queryByText('unread')).not.toBeInTheDocument();
  });

  it('marks what it showed as read when it closes, and empties the bell', async () => {
    const shown = notifications({ causes: [cause(1)], news: [newsItem(1), newsItem(2)] });
    server.answer(findNotifications, shown);
    const { panel, hand } = await openPanel();
    await panel.findByText('News 1');
    const bell = screen.getByRole('button', { name: 'Notifications: 3' });
    expect(bell.querySelector('[data-unread]')).toBeVisible();
    expect(server.asked(readNotifications)).toHaveLength(0);
    await hand.click(panel.getByRole('button', { name: 'Close' }));
    await waitFor(() =>
      expect(server.asked(readNotifications)[0]?.body).toEqual({
        made_at: shown.made_at,
        news: [1, 2],
      }),
    );
    expect(await screen.findByRole('button', { name: 'Notifications' })).toBeVisible();
    expect(bell.querySelector('[data-unread]')).toBeNull();
  });

  it('says in a toast that it could not mark them', async () => {
    server.answer(findNotifications, notifications({ news: [newsItem(1)] }));
    server.refuse(readNotifications, 'internal');
    const { panel, hand } = await openPanel();
    await panel.findByText('News 1');
    await hand.click(panel.getByRole('button', { name: 'Close' }));
    expect(await screen.findByText('500: It was refused.')).toBeVisible();
  });

  it('marks all as read at once', async () => {
    server.answer(findNotifications, notifications({ news: [newsItem(1)] }));
    const { panel, hand } = await openPanel('phone');
    await hand.click(await panel.findByRole('button', { name: 'Mark all as read' }));
    expect(server.asked(readNotifications)[0]?.body).toMatchObject({ news: 'all' });
    expect(panel.queryByRole('button', { name: 'Mark all as read' })).not.toBeInTheDocument();
    await hand.click(panel.getByRole('button', { name: 'Close' }));
    expect(server.asked(readNotifications)).toHaveLength(1);
  });

  it('requests a failed merge again', async () => {
    const failed = merge(4, { status: 'FAILED', fail_reason: 'no_space', download: null });
    server.answer(findNotifications, notifications({ merges: [failed] }));
    server.answer(requestMerge, merge(5, { status: 'PROCESS' }));
    const { panel, hand } = await openPanel();
    await hand.click(await panel.findByRole('button', { name: 'Try again' }));
    const { from, to, processed, camera } = failed;
    await waitFor(() =>
      expect(server.asked(requestMerge)[0]?.body).toEqual({
        ...{ from, to, processed, deviceId: camera.id },
      }),
    );
  });

  it('asks again soon when an answer does not know of a finished download yet', async () => {
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const createObjectURL = vi.fn(() => 'blob:one');
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL, revokeObjectURL: () => undefined }));
    server.answer(findNotifications, notifications({ merges: [merge(9, { size_bytes: 3 })] }));
    const { panel, hand } = await openPanel();
    const button = await panel.findByRole('button', { name: 'Download' });
    const load = fetch;
    vi.stubGlobal('fetch', async (...asked: Parameters<typeof fetch>) =>
      asked[0] === merge(9).download ? new Response(new Uint8Array(3)) : load(...asked),
    );
    await hand.click(button);
    // 'downloaded' is shown until the next answer, which may come at once.
    await waitFor(() => expect(createObjectURL).toHaveBeenCalled());
    await refreshNotifications();
    const before = server.asked(findNotifications).length;
    await waitFor(() => expect(server.asked(findNotifications).length).toBeGreaterThan(before), {
      timeout: 3 * PENDING_POLL_MS,
    });
  });

  it('marks the entry of the news in the menu, and lists the questions once there are some', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    server.answer(findNotifications, notifications({ news: [newsItem(1)], hasFaq: true }));
    await openScreen(server, '/buses');
    const menu = within(await screen.findByRole('navigation', { name: 'Main menu' }));
    expect(menu.queryByRole('link', { name: 'Questions' })).not.toBeInTheDocument();
    await vi.advanceTimersByTimeAsync(5_100);
    expect(await menu.findByRole('link', { name: 'News unread items' })).toBeVisible();
    expect(menu.getByRole('link', { name: 'Questions' })).toBeVisible();
  });
});
