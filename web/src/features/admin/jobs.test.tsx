// Jobs: their states and times in words, and a job that has ended since the list was read.
import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import { type AdminJob, findJob, listJobs, retryJob } from '@ridewatch/contract/admin-work';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { admin, page } from '../../test/made.ts';
import { openDrawer, openSection } from '../../test/made-admin.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';
import { currentToasts } from '../../ui/toast-store.ts';

const job = (more: Partial<AdminJob> = {}): AdminJob => ({
  ...{ id: 1, task: 'laps_of_day', class: 'laps', state: 'waiting', key: 'day:12:2026-03-09' },
  object: {
    ...{ bus: { id: 12, name: 'А 472 КМ' }, date: '2026-03-09', camera: null, at: null },
    login: null,
  },
  ...{ attempts: 0, max_attempts: 25, last_error: null, due_s: -90, age_s: 7200, ...more },
});
const answerJobs = (...jobs: AdminJob[]) => server.answer(listJobs, { ...page(jobs), classes: [] });

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
});

describe('a job that has ended since the list was read', () => {
  const hasEnded = async () => {
    const drawer = within(await screen.findByRole('complementary'));
    expect(await drawer.findByText(/The job has ended/)).toBeVisible();
    expect(drawer.getByText(/It is no longer in the queue\.$/)).toHaveRole('alert');
    expect(screen.queryByText(/no such row|deleted/)).not.toBeInTheDocument();
    expect(await screen.findByText('Nothing waits or runs now.')).toBeVisible();
    expect(currentToasts()).toEqual([]);
  };

  it('says so when it is opened, and the list is read again', async () => {
    let isListed = true;
    server.answer(listJobs, () => ({ ...page(isListed ? [job()] : []), classes: [] }));
    server.refuse(findJob, 'not_found');
    const { hand } = await openSection(server, 'jobs');
    const link = await screen.findByRole('link', { name: 'laps of a day' });
    isListed = false;
    await hand.click(link);
    await hasEnded();
  });

  it('says so also when it ended after it was told to run now', async () => {
    answerJobs(job({ state: 'failed', last_error: 'deadlock detected' }));
    server.answer(findJob, job({ state: 'failed', last_error: 'deadlock detected' }));
    server.answer(retryJob, undefined as never);
    const { drawer, press } = await openDrawer(server, 'jobs', '1');
    server.answer(findJob, job({ due_s: 0 }));
    await press('Run now');
    expect(await drawer.findByText(/^It begins by itself/)).toBeVisible();
    answerJobs();
    server.refuse(findJob, 'not_found');
    await hasEnded();
  });

  it('says so when it is to run now', async () => {
    answerJobs(job());
    server.answer(findJob, job());
    const { press } = await openDrawer(server, 'jobs', '1');
    answerJobs();
    server.refuse(findJob, 'not_found');
    server.refuse(retryJob, 'not_found');
    await press('Run now');
    await hasEnded();
  });
});

describe('the state of a job', () => {
  it.each([
    [job(), 'waiting, in 1 min · А 472 КМ · 09.03.2026'],
    [job({ due_s: 300 }), 'waiting for 5 min · А 472 КМ · 09.03.2026'],
    [job({ due_s: 0, object: null }), 'waiting, now'],
    [job({ state: 'running', attempts: 1, object: null }), 'running'],
    [
      job({ state: 'retrying', attempts: 1, last_error: 'deadlock detected', object: null }),
      'retrying, in 1 min · another job was in its way',
    ],
    [
      job({ state: 'failed', due_s: 300, last_error: 'deadlock detected', object: null }),
      'failed · another job was in its way',
    ],
  ])('comes first on phones, with the time that matters', async (made, note) => {
    answerJobs(made);
    server.answer(findAdminOverview, {
      ...{
        sections: [{ section: 'jobs', count: 1 }],
        clients: [],
        video_off: null,
        closed_ports: [],
      },
    });
    await openScreen(server, '/admin/jobs', { user: admin, device: 'phone' });
    expect(await screen.findByText(note)).toBeVisible();
  });

  it('that has failed says that it is not tried again by itself', async () => {
    answerJobs(job({ state: 'failed', due_s: 300, last_error: 'deadlock detected' }));
    await openSection(server, 'jobs');
    const [, row] = await screen.findAllByRole('row');
    expect(row).toHaveTextContent('not again');
    expect(row).not.toHaveTextContent('waiting');
  });

  it('that waits says in its drawer that it begins by itself', async () => {
    answerJobs(job());
    server.answer(findJob, job());
    const { drawer } = await openDrawer(server, 'jobs', '1');
    expect(await drawer.findByText(/^It begins by itself/)).toBeVisible();
  });
});
