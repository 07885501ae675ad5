import { type AuditRow, findAuditRow, listAudit } from '@ridewatch/contract/admin-audit';
import { type AdminBus, findAdminBus, listAdminBuses } from '@ridewatch/contract/admin-buses';
import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import { createUnit, listUnits } from '@ridewatch/contract/admin-units';
import { type AdminJob, findJob, listJobs } from '@ridewatch/contract/admin-work';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '../../test/browser.ts';
import { admin, page } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import { type FakeServer, refusal } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(findAdminOverview, {
    sections: (['units', 'audit', 'jobs'] as const).map((section) => ({
      section,
      count: null,
    })),
    clients: [{ id: 1, name: 'Иван' }],
    video_off: null,
    closed_ports: [],
  });
});
const open = (address: string, opening: Parameters<typeof openScreen>[2] = {}) =>
  openScreen(server, address, { user: admin, ...opening });

describe('the title of the page', () => {
  it('names the section first', async () => {
    server.answer(listJobs, { ...page([]), classes: [] });
    await open('/admin/jobs');
    await waitFor(() => expect(document.title).toBe('Jobs · Administration · Ridewatch'));
  });
});

describe('an administration that cannot be loaded', () => {
  it('says so without an empty menu, and is loaded again', async () => {
    server.refuse(findAdminOverview, 'internal');
    const { hand } = await open('/admin/jobs');
    expect(
      await screen.findByRole('heading', { name: 'The administration did not load' }),
    ).toBeVisible();
    expect(screen.queryByRole('navigation', { name: /Sections/ })).not.toBeInTheDocument();
    server.answer(findAdminOverview, {
      sections: [{ section: 'jobs', count: null }],
      clients: [],
      video_off: null,
      closed_ports: [],
    });
    server.answer(listJobs, { ...page([]), classes: [] });
    await hand.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Jobs' })).toBeVisible();
  });
});

const row = (more: Partial<AuditRow>): AuditRow => ({
  ...{ id: 1, at: NOW, user: { id: 1, name: 'admin' }, unit: null, action: 'set_bus' },
  ...{ object_type: 'workplace', object_id: '12', object_name: 'А 472 КМ', names: {} },
  ...{ before: null, after: null, request_id: null, import_id: null, address: null, ...more },
});
const answerAudit = (made: AuditRow) => {
  server.answer(listAudit, { ...page([made]), actions: [], object_types: [] });
  server.answer(findAuditRow, made);
};

describe('the audit log', () => {
  it('names fields as forms do, objects by name, moments in Moscow and words instead of codes', async () => {
    answerAudit(
      row({
        before: { client_ids: [1], gps_trackable: true, capacity_seated: null },
        after: {
          ...{ client_ids: [1, 2], gps_trackable: false, capacity_seated: 30 },
          ...{ count_source: 'video', valid_from: '2026-03-10', until: '2026-03-10T12:00:00.000Z' },
        },
        names: { client_ids: { 1: 'Иван', 2: 'Пётр' } },
      }),
    );
    await open('/admin/audit/1', { language: 'ru_RU' });
    await screen.findByRole('rowheader', { name: 'Клиенты' });
    const drawer = within(screen.getByRole('complementary'));
    const cells = (name: string) =>
      within(drawer.getByRole('rowheader', { name }).closest('tr') as HTMLElement)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent);
    expect(cells('Клиенты')).toEqual(['Иван', 'Иван, Пётр']);
    expect(cells('Показывать на карте')).toEqual(['да', 'нет']);
    expect(cells('Сидячих мест')).toEqual(['—', '30']);
    expect(cells('Источник подсчёта')).toEqual(['', 'по видео']);
    expect(cells('Действует с')).toEqual(['', '10.03.2026']);
    expect(cells('До')).toEqual(['', '10.03.2026 15:00']);
    // The stored values are there, too.
    expect(drawer.getByText('Как записано')).toBeVisible();
  });

  it('says of a count by hand that was taken back that nobody counts by hand', async () => {
    answerAudit(
      row({
        ...{ action: 'set_manual_counts', object_type: 'segment' },
        object_name: 'А 7 АА 156 · Дверь 1 · 10.03.2026 05:41',
        before: { entered: 9 },
        after: { entered: null },
      }),
    );
    await open('/admin/audit', { language: 'ru_RU' });
    expect(await screen.findByText('Вошло: 9 → не считали вручную')).toBeVisible();
    expect(screen.getByText('фрагмент А 7 АА 156 · Дверь 1 · 10.03.2026 05:41')).toBeVisible();
  });

  it('shows changes first; sign-ins and everything are a choice that the address has', async () => {
    answerAudit(row({}));
    const { address } = await open('/admin/audit');
    await screen.findByRole('link', { name: /10\.03\.2026/ });
    const asked = () => server.asked(listAudit).at(-1)?.query.get('kind');
    expect(asked()).toBe('change');
    expect(screen.queryByRole('button', { name: 'Reset the filters' })).not.toBeInTheDocument();
    await open('/admin/audit?kind=session');
    await waitFor(() => expect(asked()).toBe('session'));
    await open('/admin/audit?kind=all');
    await waitFor(() => expect(asked()).toBeNull());
    expect(address()).not.toContain('kind=change');
  });
});

const job = (more: Partial<AdminJob>): AdminJob => ({
  ...{ id: 1, task: 'laps_of_day', class: 'laps', state: 'waiting', key: 'day:12:2026-03-09' },
  object: {
    ...{ bus: { id: 12, name: 'А 472 КМ' }, date: '2026-03-09', camera: null, at: null },
    login: null,
  },
  ...{ attempts: 0, max_attempts: 25, last_error: null, due_s: 300, age_s: 7200, ...more },
});

describe('jobs', () => {
  it('are named, say what they are about, and how long they wait', async () => {
    server.answer(listJobs, {
      ...page([job({}), job({ id: 2, due_s: -90 })]),
      classes: [],
    });
    await open('/admin/jobs', { language: 'ru_RU' });
    const [, first, second] = await screen.findAllByRole('row');
    expect(first).toHaveTextContent('круги дня');
    expect(first).toHaveTextContent('А 472 КМ · 09.03.2026');
    expect(first).toHaveTextContent('ждёт 5 мин');
    expect(second).toHaveTextContent('через 1 мин');
    expect(screen.queryByText(/laps_of_day|day:12/)).not.toBeInTheDocument();
  });

  it('say in words why they failed; what the program said is folded away', async () => {
    const failed = job({ state: 'failed', last_error: 'ffmpeg exceeded its timeout of 60000 ms.' });
    server.answer(listJobs, { ...page([failed]), classes: [] });
    server.answer(findJob, failed);
    const { hand } = await open('/admin/jobs', { language: 'ru_RU' });
    const [, row] = await screen.findAllByRole('row');
    expect(row).toHaveTextContent('не успело в отведённое время');
    expect(row).not.toHaveTextContent('ffmpeg');
    await hand.click(screen.getByText('круги дня'));
    await screen.findByText('Запись об ошибке');
    expect(screen.getByText(/^ffmpeg exceeded/)).not.toBeVisible();
  });

  it.each([
    ['ENOSPC: no space left on device, write', 'the disk is full', /shorten the retention/],
    ['ffmpeg exceeded its timeout of 60000 ms.', 'not done in time', /less to do/],
    ['deadlock detected', 'another job was in its way', /Nothing is broken/],
    ['terminating connection', 'the database was not available', /PostgreSQL/],
    ['connect ECONNREFUSED 127.0.0.1:25', 'another server did not answer', /the address/],
    ['The store returned no body for a.', 'the file store refused', /the settings of S3/],
    ['The store is full.', 'the file store is full', /shorten the retention/],
    ['The store has no bucket media (S3_BUCKET).', 'has no such bucket', /^Check S3_BUCKET/],
    ['The store cannot be reached: EPROTO', 'the file store did not answer', /S3_ENDPOINT/],
    ['The store refused the access key.', 'the access key is wrong', /S3_SECRET_ACCESS_KEY/],
    ["ENOENT: no such file or directory, open '/x'", 'a file is missing', /from a backup/],
    ['ffprobe found no frames', 'the video could not be processed', /the ffmpeg of the server/],
    ['x is undefined', 'a fault of the program', /^Send the error as recorded to the developers/],
  ])('say what to do about %s: %s', async (last_error, reason, advice) => {
    const failed = job({ state: 'failed', last_error });
    server.answer(listJobs, { ...page([failed]), classes: [] });
    server.answer(findJob, failed);
    await open('/admin/jobs/1');
    const drawer = within(await screen.findByRole('complementary'));
    expect(await drawer.findByText(new RegExp(reason))).toBeVisible();
    expect(drawer.getByText(advice)).toBeVisible();
    expect(drawer.getByRole('button', { name: 'Run now' })).toBeVisible();
  });

  it('that have not failed need no advice', async () => {
    const waiting = job({});
    server.answer(listJobs, { ...page([waiting]), classes: [] });
    server.answer(findJob, waiting);
    await open('/admin/jobs/1');
    await screen.findByRole('button', { name: 'Run now' });
    expect(screen.queryByText(/press “Run now”/)).not.toBeInTheDocument();
  });

  it.each([
    ['are repeated say so instead of what to do', 'retrying', true],
    ['run again show only the error of the last attempt', 'running', false],
  ] as const)('that %s', async (_, state, isRepeated) => {
    const tried = job({ state, attempts: 3, last_error: 'x is undefined' });
    server.answer(listJobs, { ...page([tried]), classes: [] });
    server.answer(findJob, tried);
    await open('/admin/jobs/1');
    const drawer = within(await screen.findByRole('complementary'));
    expect(await drawer.findByText('The error as recorded')).toBeVisible();
    expect(drawer.queryByText(/Send the error/)).toBeNull();
    expect(drawer.queryAllByText(/^It is repeated by itself/)).toHaveLength(isRepeated ? 1 : 0);
    expect(drawer.queryAllByRole('button', { name: 'Run now' })).toHaveLength(isRepeated ? 1 : 0);
  });
});

describe('a new unit', () => {
  const bus = (id: number, name: string): AdminBus => ({
    ...{ id, name, description: null, type: 'VMS', clients: [{ id: 1, name: 'Иван' }] },
    passes: null,
    ...{ group: null, timezone: 'Europe/Moscow', count_source: 'unit', valid_from: null },
    ...{ capacity_seated: null, capacity_standing: null, gps_trackable: true },
    ...{ count_passengers_inside: true, bus_calculation: true, config: '{}', unit: null },
    ...{ state: null, cameras: [], retired_at: null, created_at: NOW },
  });

  it('begins with the only bus that has none', async () => {
    server.answer(listUnits, page([]));
    server.answer(listAdminBuses, ({ query }) =>
      query.get('state') === 'none' ? page([bus(12, 'А 472 КМ')]) : page([bus(11, 'А 1')]),
    );
    server.answer(findAdminBus, { ...bus(12, 'А 472 КМ'), settings: [], owners: [] });
    server.answer(createUnit, refusal('conflict', { field: 'device_id' }));
    const { hand } = await open('/admin/units/new');
    const field = await screen.findByRole('combobox', { name: 'Bus' });
    await waitFor(() => expect(field).toHaveValue('А 472 КМ'));
    await hand.type(screen.getByLabelText('Device id'), 'RW-1');
    await hand.click(screen.getByRole('button', { name: 'Create' }));
    await waitFor(() => expect(server.asked(createUnit)[0]?.body).toMatchObject({ bus_id: 12 }));
  });

  it('gets a bus by keys: the arrows go through what was found, Enter chooses, Esc closes', async () => {
    server.answer(listUnits, page([]));
    server.answer(listAdminBuses, page([bus(11, 'А 1'), bus(12, 'А 2')]));
    const { hand } = await open('/admin/units/new');
    const field = await screen.findByRole('combobox', { name: 'Bus' });
    await hand.type(field, 'А');
    expect(await screen.findByRole('option', { name: 'А 2 · Иван' })).toBeVisible();
    await hand.keyboard('{ArrowDown}{Enter}');
    expect(field).toHaveValue('А 2 · Иван');
    expect(screen.queryByRole('option')).not.toBeInTheDocument();
    await hand.keyboard('{ArrowDown}');
    expect(await screen.findByRole('option', { name: 'А 1 · Иван' })).toBeVisible();
    await hand.keyboard('{Escape}');
    expect(screen.queryByRole('option')).not.toBeInTheDocument();
    expect(field).toHaveValue('А 2 · Иван');
  });

  it('gets the bus of a plate that is typed faster than the server answers, unless several have it', async () => {
    const known = [bus(11, 'А 1'), bus(12, 'А 2'), bus(13, 'А 2')];
    let send: () => void = () => undefined;
    const sent = new Promise<void>((resolve) => {
      send = resolve;
    });
    server.answer(listUnits, page([]));
    server.answer(listAdminBuses, async ({ query }) => {
      const search = query.get('search') ?? '';
      const found = known.filter(({ name }) => name.includes(search));
      if (search === 'А 2') await sent;
      // A page has two of them.
      return { ...page(found.slice(0, 2)), total: found.length };
    });
    const { hand } = await open('/admin/units/new');
    const field = await screen.findByRole('combobox', { name: 'Bus' });
    await hand.type(field, 'А ');
    expect(await screen.findByRole('option', { name: 'А 2 · Иван' })).toBeVisible();
    await hand.type(field, '2');
    await hand.tab();
    expect(field).toHaveValue('А 2');
    await act(async () => send());
    expect(field).toHaveValue('А 2');
    await hand.clear(field);
    await hand.type(field, 'А 1');
    await hand.tab();
    await waitFor(() => expect(field).toHaveValue('А 1 · Иван'));
  });
});
