// The storage section tells of disks and of the video on them.
import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import { findStorage, type StorageDisk } from '@ridewatch/contract/admin-work';
import type { ResponseOf } from '@ridewatch/contract/endpoint';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '../../test/browser.ts';
import { admin, page } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(findAdminOverview, {
    sections: [{ section: 'storage', count: null }],
    clients: [{ id: 1, name: 'Иван' }],
    video_off: null,
    closed_ports: [],
  });
});
const open = (address: string, opening: Parameters<typeof openScreen>[2] = {}) =>
  openScreen(server, address, { user: admin, ...opening });

const disk: StorageDisk = {
  ...{ machine: 'video-1', total_bytes: 1e12, free_bytes: 9e11, percent: 10 },
  ...{ day_bytes: 1e7, days_left: 25_243, read_at: NOW },
};

const stored = {
  ...{ disks: [disk], full_percent: 85 },
  video: { media: 'folder' as const, bytes: 1e9, made_at: NOW },
};

const use = {
  ...{ id: 1, name: 'Иван', bytes: 5e9, fragments: 12, week_bytes: 1e9, oldest: NOW },
};

describe('the storage', () => {
  it.each([
    ['ru_RU', 25_243, 'Хватит больше чем на 2 года'],
    ['en_US', 25_243, 'More than 2 years left'],
    ['ru_RU', 21, 'Хватит на 21 день'],
    ['en_US', 1, '1 day left'],
  ] as const)('in %s with %i days left says: %s', async (language, days_left, said) => {
    server.answer(findStorage, { ...page([]), ...stored, disks: [{ ...disk, days_left }] });
    await open('/admin/storage', { language });
    expect(await screen.findByText(said)).toBeVisible();
  });

  const openWith = async (
    found: Partial<StorageDisk>,
    more: Partial<ResponseOf<typeof findStorage>> = {},
  ) => {
    server.answer(findStorage, {
      ...{ ...page([use]), ...stored },
      ...{ disks: [{ ...disk, ...found }], ...more },
    });
    await open('/admin/storage');
    const [figure] = await screen.findAllByText(/^The disk is/);
    return within(figure?.closest('ul') as HTMLElement);
  };

  it('of a crowded disk says what is deleted and what to do, and leads there', async () => {
    const figures = await openWith({ percent: 91, days_left: 0 });
    const advice = figures.getByText(/deletes the oldest video, except what is kept/);
    expect(advice).toHaveTextContent(
      'If there is no other, or that job fails, the disk goes on filling',
    );
    expect(advice).toHaveTextContent("the operator's guide that comes with the product");
    expect(figures.getByRole('link', { name: 'Retention of customers' })).toHaveAttribute(
      'href',
      '/admin/customers',
    );
    expect(figures.getByRole('link', { name: /^Failed jobs: some may/ })).toHaveAttribute(
      'href',
      '/admin/jobs?state=failed',
    );
  });

  it('of a disk that will be crowded within a week says what to do', async () => {
    const figures = await openWith({ days_left: 7 });
    expect(figures.getByText(/Shorten the retention/)).toBeVisible();
    expect(figures.getAllByRole('link')).toHaveLength(1);
  });

  it('of a disk beside an object store says what fills it', async () => {
    const video = { ...stored.video, media: 's3' as const };
    const figures = await openWith({ percent: 91, days_left: 0 }, { video });
    expect(figures.getByText(/^The database and work files grow\. /)).toBeVisible();
    expect(figures.getByText('all video, in an object store')).toBeVisible();
    expect(figures.queryByText(/when old video is deleted/)).not.toBeInTheDocument();
  });

  it('of a disk that does not fill says so, and gives no advice', async () => {
    const figures = await openWith({ percent: 80, days_left: null, day_bytes: 0 });
    expect(figures.getByText('The disk does not fill')).toBeVisible();
    expect(figures.getByText('at the pace of the last week')).toBeVisible();
    expect(figures.queryByRole('link')).not.toBeInTheDocument();
  });

  it('of a disk whose pace is not known says when it will be', async () => {
    const figures = await openWith({ percent: 84, days_left: null, day_bytes: null });
    expect(figures.getByText('Days left: known after a day')).toBeVisible();
    expect(figures.queryByText('at the pace of the last week')).not.toBeInTheDocument();
  });

  it('shows the disk of each machine, and when it was read', async () => {
    const second = { ...disk, machine: 'video-2', percent: 70, read_at: '2026-11-20T09:05:00Z' };
    const figures = await openWith({}, { disks: [disk, second] });
    expect(figures.getByText('The disk is 10 % full')).toBeVisible();
    expect(figures.getByText(/^video-1, read at /)).toBeVisible();
    expect(figures.getByText('The disk is 70 % full')).toBeVisible();
    expect(figures.getByText('video-2, read at 20.11.2026 12:05')).toBeVisible();
  });

  it('of a disk with room says nothing more', async () => {
    const figures = await openWith({ days_left: 8 });
    expect(figures.queryByRole('link')).not.toBeInTheDocument();
  });

  it('beside a drawer has so few columns that the names of customers have room', async () => {
    server.answer(findStorage, { ...page([use]), ...stored });
    await open('/admin/storage/1');
    const heads = (await screen.findAllByRole('columnheader')).map(
      ({ textContent }) => textContent,
    );
    expect(heads).toEqual(
      ['Customer', 'Video', 'Last 7 days'].map((one) => expect.stringContaining(one)),
    );
  });

  it('of a customer leads to its retention', async () => {
    server.answer(findStorage, { ...page([use]), ...stored });
    await open('/admin/storage/1');
    expect(await screen.findByRole('link', { name: 'Change the retention' })).toHaveAttribute(
      'href',
      '/admin/customers/1',
    );
  });
});
