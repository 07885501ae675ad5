import { cancelMerge, type MergeRequest } from '@ridewatch/contract/merges';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useConnectionLost } from '../../core/connection.ts';
import { merge } from '../../test/made-merges.ts';
import { freshServer, showPart } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';
import { currentToasts } from '../../ui/toast-store.ts';
import { Toaster } from '../../ui/toaster.tsx';
import { MergeItem } from './merge-item.tsx';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
});
const show = (more: Partial<MergeRequest>) =>
  showPart(
    <>
      <ul>
        <MergeItem merge={merge(4, more)} />
      </ul>
      <Toaster />
    </>,
  );
const saved: string[] = [];
beforeEach(() => {
  saved.length = 0;
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download);
  });
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'blob:one', revokeObjectURL: () => undefined }),
  );
});

describe('a merged video in the notifications', () => {
  it.each([
    ['PROCESS', 'merging'],
    ['FAILED', 'failed'],
    ['COMPLETE', 'ready'],
    ['SENT', 'downloaded'],
  ] as const)('of status %s is %s', async (status, word) => {
    await show({ status, fail_reason: null, download: null });
    const item = within(screen.getByRole('listitem'));
    expect(item.getByText(word)).toHaveAttribute('data-status', status);
  });

  it('that is ready says how large it is and until when it is kept', async () => {
    await show({});
    expect(screen.getByText('ready')).toBeVisible();
    expect(screen.getByText('10.03 08:00–09:00 · 12 MB · until 17.03')).toBeVisible();
  });

  it('that is being made shows how far it is, and can be cancelled', async () => {
    server.answer(cancelMerge, merge(4, { status: 'FAILED', fail_reason: 'cancelled' }));
    const { hand } = await show({ status: 'PROCESS', progress: 40, download: null });
    expect(screen.getByRole('progressbar', { name: 'merging' })).toHaveValue(40);
    await hand.click(screen.getByRole('button', { name: 'Cancel the merge' }));
    await waitFor(() => expect(server.asked(cancelMerge)[0]?.params.requestId).toBe('4'));
  });

  it.each([
    ['no_video', 'No video of this period is left on the server'],
    ['no_space', 'The server is out of disk space'],
    ['cancelled', 'Cancelled'],
    [null, 'The files could not be merged'],
  ] as const)('that failed for %s says: %s', async (fail_reason, said) => {
    await show({ status: 'FAILED', fail_reason, download: null });
    expect(screen.getByText(said)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Download' })).not.toBeInTheDocument();
  });

  it('names the customer to administrators', async () => {
    await show({ client: { id: 20, name: 'Север', surname: 'Иванов' } });
    expect(screen.getByText(/Север Иванов/)).toBeVisible();
  });

  it('is downloaded under a name that says what it is', async () => {
    vi.stubGlobal('fetch', async () => new Response(new Uint8Array(3)));
    const { hand } = await show({ size_bytes: 3 });
    await hand.click(screen.getByRole('button', { name: 'Download' }));
    await waitFor(() => expect(saved[0]).toMatch(/\.mp4$/));
    expect(await screen.findByRole('button', { name: 'Download' })).toBeVisible();
  });

  it('shows how much of it has come', async () => {
    let end: () => void = () => undefined;
    const body = new ReadableStream({
      start(stream) {
        stream.enqueue(new Uint8Array(1));
        end = () => {
          stream.enqueue(new Uint8Array(3));
          stream.close();
        };
      },
    });
    vi.stubGlobal('fetch', async () => new Response(body));
    const { hand } = await show({ size_bytes: 4 });
    await hand.click(screen.getByRole('button', { name: 'Download' }));
    await waitFor(() => expect(screen.getByRole('progressbar')).toHaveValue(0.25));
    expect(saved).toEqual([]);
    end();
    expect(await screen.findByRole('button', { name: 'Download' })).toBeVisible();
    expect(screen.queryByRole('progressbar')).not.toBeInTheDocument();
    expect(saved).toHaveLength(1);
  });

  it('of which only a part came is not saved', async () => {
    vi.stubGlobal('fetch', async () => new Response(new Uint8Array(2)));
    const { hand } = await show({ size_bytes: 3 });
    await hand.click(screen.getByRole('button', { name: 'Download' }));
    expect(await screen.findByText('The download failed.')).toBeVisible();
    expect(saved).toEqual([]);
  });

  it('whose days are over says so', async () => {
    vi.stubGlobal('fetch', async () =>
      Response.json({ error: 'not_found', message: 'gone', requestId: 'r' }, { status: 404 }),
    );
    const { hand } = await show({});
    await hand.click(screen.getByRole('button', { name: 'Download' }));
    expect(await screen.findByText(/This file is no longer kept/)).toBeVisible();
  });

  it.each([
    [503, 'unavailable'],
    [403, 'forbidden'],
  ])('that is refused with %d says so as any other call, once', async (status, error) => {
    vi.stubGlobal('fetch', async () => Response.json({ error, message: 'Not now.' }, { status }));
    const { hand } = await show({});
    await hand.click(screen.getByRole('button', { name: 'Download' }));
    expect(await screen.findByText(`${status}: Not now.`)).toBeVisible();
    expect(currentToasts()).toHaveLength(1);
  });

  it('of a session that has ended says nothing: that leads to sign-in, which says why', async () => {
    const fetch = vi.fn(async () => Response.json({ error: 'unauthorized' }, { status: 401 }));
    vi.stubGlobal('fetch', fetch);
    const { hand } = await show({});
    await hand.click(screen.getByRole('button', { name: 'Download' }));
    expect(await screen.findByRole('button', { name: 'Download' })).toBeVisible();
    expect(fetch).toHaveBeenCalledOnce();
    expect(currentToasts()).toEqual([]);
  });

  it('that nobody answers marks the connection lost, and has no toast', async () => {
    const Connection = () => <p>{useConnectionLost() ? 'lost' : 'there'}</p>;
    const { hand, showAgain } = await show({});
    showAgain(
      <>
        <Connection />
        <MergeItem merge={merge(4)} />
      </>,
    );
    server.setLink(false);
    await hand.click(screen.getByRole('button', { name: 'Download' }));
    expect(await screen.findByText('lost')).toBeVisible();
    expect(currentToasts()).toEqual([]);
  });

  it('comes with its facts, as text and as a file', async () => {
    const { hand } = await show({});
    await hand.click(screen.getByText('About the file'));
    expect(screen.getByText('ab'.repeat(32))).toBeVisible();
    await hand.click(screen.getByRole('button', { name: 'Download these facts' }));
    expect(saved[0]).toMatch(/\.txt$/);
  });
});
