import {
  type AdminNews,
  findAdminNews,
  listAdminNews,
  listNewsReaders,
  setNewsMedia,
} from '@ridewatch/contract/admin-news';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { NOW } from '../../test/browser.ts';
import { page } from '../../test/made.ts';
import { openDrawer } from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';
import { currentToasts } from '../../ui/toast-store.ts';

const item: AdminNews = {
  ...{ id: 2, type: 'NEWS', title: 'Ремонт', text: 'Ночью.', active: true, readers: 0 },
  ...{ date_from: '2026-03-01', media: null, created_at: NOW },
};
const file = (name: string) => new File(['a picture'], name, { type: 'image/png' });

let server: FakeServer;
/** Of the uploads that were begun, the latest last. */
const signals: AbortSignal[] = [];
beforeEach(() => {
  server = freshServer();
  server.answer(listAdminNews, page([item]));
  server.answer(findAdminNews, item);
  server.answer(listNewsReaders, page([]));
  signals.length = 0;
  const send = fetch;
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    const { body, signal } = init;
    if (!(body instanceof FormData) || !signal) return send(address, init);
    signals.push(signal);
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  });
});

describe('the upload of a file of a news item', () => {
  const begin = async () => {
    const { hand, drawer, field, press } = await openDrawer(server, 'news', '2');
    await hand.upload(await field('Image or file'), file('first.png'));
    await waitFor(() => expect(signals).toHaveLength(1));
    return { hand, drawer, field, press };
  };

  it('ends when it is cancelled, without an error', async () => {
    const { drawer, press } = await begin();
    await press('Cancel');
    expect(signals[0]?.aborted).toBe(true);
    expect(drawer.queryByText('first.png')).not.toBeInTheDocument();
    expect(drawer.queryByRole('progressbar')).not.toBeInTheDocument();
    expect(currentToasts()).toEqual([]);
  });

  it('ends when another file is chosen, whose upload goes on', async () => {
    const { hand, drawer } = await begin();
    await hand.upload(
      screen.getByLabelText('Image or file', { selector: 'input' }),
      file('second.png'),
    );
    await waitFor(() => expect(signals).toHaveLength(2));
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(await drawer.findByText('second.png')).toBeVisible();
    expect(server.asked(setNewsMedia)).toHaveLength(0);
  });
});
