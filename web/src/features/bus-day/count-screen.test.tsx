import { type BusInfo, findBusInfo, listBuses } from '@ridewatch/contract/buses';
import { type Fragment, findFragment, listDayFragments } from '@ridewatch/contract/fragments';
import { findDayTrack, listDayLaps } from '@ridewatch/contract/laps';
import { markReviewed, setManualCounts } from '@ridewatch/contract/review';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  at,
  bus,
  busInfo,
  busList,
  camera,
  dayFragments,
  faraway,
  fragment,
  owner,
  page,
} from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

const fragments = [
  fragment(1, '08:00', { max_objects_count: 6 }),
  fragment(2, '08:10', { cameraId: 2 }),
  faraway(3, '08:20'),
];
let server: FakeServer;
const serve = (more: Partial<BusInfo> = {}) =>
  server.answer(findBusInfo, busInfo({ gps_trackable: false, ...more }));
const serveDay = (served: Fragment[] = fragments, more = {}) =>
  server.answer(listDayFragments, dayFragments(served, more));
beforeEach(() => {
  server = freshServer();
  serve();
  serveDay();
  server.answer(listBuses, busList([bus(7)]));
  server.answer(listDayLaps, {
    ...page([]),
    timezone: 'Europe/Moscow',
    pending: false,
    failure: null,
  });
});
const open = (address = '/bus/7', opening?: Parameters<typeof openScreen>[2]) =>
  openScreen(server, address, opening);
const list = () => screen.findByRole('region', { name: /^\d+ fragments?$/ });
const rowOf = async (clock: string) => {
  const rows = within(await list()).getAllByRole('listitem');
  const found = rows.find((row) => row.textContent?.startsWith(clock));
  if (!found) throw new Error(`no row of ${clock}`);
  return within(found);
};
const adults = async (clock: string) =>
  (await rowOf(clock)).getByRole('textbox', { name: 'Adults entered, by hand' });

describe('the figures of a day', () => {
  it('are who got on, who got off and who is inside', async () => {
    await open();
    await list();
    const figure = (name: string) => screen.getByText(name, { selector: 'dt' }).parentElement;
    expect(figure('Entered')).toHaveTextContent('12adults 9 · kids 3');
    expect(figure('Exited')).toHaveTextContent('6adults 6 · kids 0');
    expect(figure('Inside')).toHaveTextContent('4of 50 places · 8 %');
  });

  it('say nothing of children if no counter of the day tells them apart', async () => {
    const grown = { adult: 4, kids: 0 };
    const counts = [fragment(1, '08:00', { entered: grown, exited: grown })];
    serveDay(counts, { tells_children: false, totalEnteredManual: 5 });
    await open('/bus/7', { user: { ...owner, can_edit: false } });
    await list();
    const figure = (name: string) => screen.getByText(name, { selector: 'dt' }).parentElement;
    expect(figure('Entered')).toHaveTextContent(/^Entered5counter: 4$/);
    expect(within(await list()).queryByText('Kids')).toBeNull();
    expect(within(await list()).queryByText('+0')).toBeNull();
  });

  it('say what the counter said where somebody counted otherwise', async () => {
    serveDay(fragments, { totalEnteredManual: 20 });
    await open();
    await list();
    expect(screen.getByText(/counter: 12/)).toBeVisible();
  });

  it('leave out who is inside where the bus does not show it', async () => {
    serve({ count_passengers_inside: false });
    await open();
    await list();
    expect(screen.queryByText('Inside')).not.toBeInTheDocument();
  });
});

describe('the chart of a day', () => {
  it('has its figures in a table', async () => {
    await open();
    const table = await screen.findByRole('table', { name: 'The day by hour' });
    expect(within(table).getByRole('row', { name: '08:00–09:00 5 3' })).toBeInTheDocument();
  });

  it('leaves out a side when its name is pressed', async () => {
    const { hand } = await open();
    const entered = await screen.findByRole('button', { name: 'entered' });
    expect(entered).toHaveAttribute('aria-pressed', 'true');
    await hand.click(entered);
    expect(entered).toHaveAttribute('aria-pressed', 'false');
  });

  it('has the recordings below on the same time axis, also when that comes closer', async () => {
    const { hand } = await open();
    const line = await screen.findByRole('slider', { name: /^Timeline of recordings/ });
    const shown = () => [
      document.querySelector<HTMLElement>('[data-chart]')?.dataset.chart,
      line.dataset.view,
    ];
    const [chart, recordings] = shown();
    expect(chart).toBe(recordings);
    await hand.click(screen.getByRole('button', { name: 'Closer' }));
    expect(shown()[0]).not.toBe(chart);
    expect(shown()[0]).toBe(shown()[1]);
  });

  it('is saved as a table', async () => {
    const made: Blob[] = [];
    vi.stubGlobal(
      'URL',
      Object.assign(URL, {
        createObjectURL: (blob: Blob) => {
          made.push(blob);
          return 'blob:table';
        },
        revokeObjectURL: () => undefined,
      }),
    );
    const { hand } = await open();
    await hand.click(await screen.findByRole('button', { name: 'Save as table' }));
    await hand.click(await screen.findByRole('button', { name: 'Save as table (CSV)' }));
    expect(made[0]?.type).toContain('text/csv');
  });
});

describe('the fragments of a day', () => {
  it('say when they were, of which camera, and in one tag what is to be done', async () => {
    await open();
    const first = await rowOf('08:00');
    expect(first.getByText('Дверь 1')).toBeVisible();
    expect(first.getByText('attention · 6')).toBeVisible();
    expect(first.queryByText('ready')).not.toBeInTheDocument();
    expect((await rowOf('08:10')).getByText('ready')).toBeVisible();
    expect((await rowOf('08:20')).getByText('on the registrar')).toBeVisible();
  });

  it('say at which stop they were recorded', async () => {
    serveDay([fragment(1, '08:00', { stop: 'Рынок' }), fragment(2, '08:10', { cameraId: 2 })]);
    await open();
    const first = await rowOf('08:00');
    expect(first.getByText('Рынок')).toBeVisible();
    expect(first.getByText('Дверь 1')).toBeVisible();
    expect((await rowOf('08:10')).getByText('—')).toBeVisible();
  });

  it('leave out the name of the only door', async () => {
    serve({ cameras: [camera(1)] });
    serveDay([fragment(1, '08:00', { stop: 'Рынок' })]);
    await open();
    expect((await rowOf('08:00')).queryByText('Дверь 1')).not.toBeInTheDocument();
  });

  it('are those of the chosen cameras', async () => {
    const { hand, address } = await open();
    const cameras = await screen.findByRole('group', { name: 'Cameras' });
    await hand.click(within(cameras).getByRole('button', { name: 'Дверь 2' }));
    await waitFor(() => expect(address()).toContain('camera=1'));
    expect(await screen.findByRole('region', { name: '2 fragments' })).toBeVisible();
    await hand.click(within(cameras).getByRole('button', { name: 'Дверь 1' }));
    expect(await screen.findByRole('heading', { name: 'No camera is chosen' })).toBeVisible();
  });

  it('say of an offline camera that it is', async () => {
    serve({ cameras: [camera(1, { status: 'offline', enabled: false }), camera(2)] });
    await open();
    const cameras = await screen.findByRole('group', { name: 'Cameras' });
    expect(within(cameras).getByRole('button', { name: /Дверь 1 .*offline/ })).toBeVisible();
    const first = await rowOf('08:00');
    expect(first.getByText('ready')).toHaveAttribute('data-kind', 'error');
    expect(first.getByText('camera offline')).toBeVisible();
    expect((await rowOf('08:10')).queryByText('camera offline')).not.toBeInTheDocument();
  });

  it('are not there on a day without records', async () => {
    serveDay([], { inside: 0, events: [] });
    await open('/bus/7?date=2020-02-02');
    expect(
      await screen.findByRole('heading', { name: 'Nothing was recorded on this day' }),
    ).toBeVisible();
  });

  it('are not there yet early on a day while the unit is heard', async () => {
    serveDay([], { inside: 0, events: [] });
    await open();
    expect(
      await screen.findByRole('heading', { name: 'Nothing was recorded yet today' }),
    ).toBeVisible();
  });

  it('are not there where sensors count without cameras', async () => {
    serve({ cameras: [] });
    await open();
    expect(await screen.findByRole('heading', { name: 'No cameras at the doors' })).toBeVisible();
  });

  it('could not be loaded, and are loaded when they are asked for again', async () => {
    server.refuse(listDayFragments, 'internal');
    const { hand } = await open();
    await screen.findByRole('heading', { name: 'The day could not be loaded' });
    serveDay();
    await hand.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await list()).toBeVisible();
  });

  it('have their counts as text for who may not edit', async () => {
    await open('/bus/7', { user: { ...owner, can_edit: false } });
    const row = await rowOf('08:00');
    expect(row.getByText('+3')).toBeVisible();
    expect(row.queryByRole('textbox')).not.toBeInTheDocument();
    expect(row.queryByText('attention · 6')).not.toBeInTheDocument();
  });
});

describe('the chosen fragment', () => {
  it('is in the address, and Back leads out of it', async () => {
    const { hand, address } = await open();
    await hand.click((await rowOf('08:10')).getByRole('button', { name: /08:10/ }));
    await waitFor(() => expect(address()).toMatch(/date=2026-03-10&fragment=2|fragment=2.*date/));
    expect(await screen.findByRole('complementary', { name: 'Дверь 2' })).toBeVisible();
    window.history.back();
    expect(await screen.findByText('Choose a fragment to see its video')).toBeVisible();
  });

  it('gives way to the next one with the keys', async () => {
    const { hand, address } = await open('/bus/7?fragment=1');
    await list();
    await hand.keyboard('{ArrowDown}');
    await waitFor(() => expect(address()).toContain('fragment=2'));
    await hand.keyboard('{ArrowUp}');
    await waitFor(() => expect(address()).toContain('fragment=1'));
  });

  it('takes the focus of the list with it, so that Enter and digits go to it', async () => {
    const { hand } = await open('/bus/7');
    await hand.click((await rowOf('08:00')).getByRole('button', { name: /08:00/ }));
    await hand.keyboard('{ArrowDown}');
    expect((await rowOf('08:10')).getByRole('button', { name: /08:10/ })).toHaveFocus();
    await hand.click(await adults('08:10'));
    await hand.keyboard('{ArrowUp}');
    expect(await adults('08:00')).toHaveFocus();
    expect((await rowOf('08:00')).getByRole('button', { current: true })).toBeVisible();
  });

  it('opens with Enter in a row that was reached with Tab, which confirms no other one', async () => {
    const { hand, address } = await open('/bus/7?fragment=1');
    (await rowOf('08:10')).getByRole('button', { name: /08:10/ }).focus();
    await hand.keyboard('{Enter}');
    await waitFor(() => expect(address()).toContain('fragment=2'));
    expect(server.asked(markReviewed)).toHaveLength(0);
  });

  it('plays at once with Autoplay, however it is chosen', async () => {
    const { hand } = await open('/bus/7?fragment=1');
    const video = () => document.querySelector<HTMLVideoElement>('video:not([aria-hidden])');
    await list();
    // Not the one that a link names.
    fireEvent.loadedMetadata(video() as HTMLVideoElement);
    expect(video()?.paused).toBe(true);
    await hand.click(screen.getByRole('checkbox', { name: 'Autoplay' }));
    await hand.keyboard('{ArrowDown}');
    fireEvent.loadedMetadata(video() as HTMLVideoElement);
    expect(video()?.paused).toBe(false);
    await hand.click((await rowOf('08:00')).getByRole('button', { name: /08:00/ }));
    fireEvent.loadedMetadata(video() as HTMLVideoElement);
    expect(video()?.paused).toBe(false);
    await hand.click(screen.getByRole('checkbox', { name: 'Autoplay' }));
    await hand.keyboard('{ArrowDown}');
    fireEvent.loadedMetadata(video() as HTMLVideoElement);
    expect(video()?.paused).toBe(true);
  });

  it('shows the map where there is no video, if the bus is tracked', async () => {
    serve({ gps_trackable: true });
    server.answer(findDayTrack, { items: [], halts: [], timezone: 'Europe/Moscow' });
    await open('/bus/7?fragment=3');
    expect(await screen.findByText('Where the bus was at this time is not known.')).toBeVisible();
  });

  it('goes a day back with the key [', async () => {
    const { hand, address } = await open();
    await list();
    await hand.keyboard('[BracketLeft]');
    await waitFor(() => expect(address()).toContain('date=2026-03-09'));
  });
});

describe('counting by hand', () => {
  const counted = (id: number, adult: number, more: Partial<Fragment> = {}) =>
    fragment(id, '08:00', {
      entered_manual: { adult, kids: null },
      reviewed_at: at('15:00'),
      reviewed_by: 'owner1',
      ...more,
    });

  it('saves what was typed after a pause, and says so', async () => {
    server.answer(setManualCounts, counted(1, 7));
    const { hand } = await open();
    await hand.type(await adults('08:00'), '7');
    expect(await screen.findByText('saved')).toBeVisible();
    expect(server.asked(setManualCounts)[0]?.body).toMatchObject({
      entered_manual: { adult: 7, kids: null },
      exited_manual: { adult: null, kids: null },
    });
  });

  it('takes nothing but digits', async () => {
    server.answer(setManualCounts, counted(1, 12));
    const { hand } = await open();
    const field = await adults('08:00');
    await hand.type(field, '1a2');
    expect(field).toHaveValue('12');
    await screen.findByText('saved');
  });

  it('marks a fragment as reviewed with Enter, and goes to the next one', async () => {
    server.answer(markReviewed, counted(2, 3, { cameraId: 2 }));
    const { hand } = await open('/bus/7?fragment=2');
    await hand.click(await adults('08:10'));
    await hand.keyboard('{Enter}');
    await waitFor(() => expect(server.asked(markReviewed)).toHaveLength(1));
    await waitFor(async () => expect(await adults('08:20')).toHaveFocus());
  });

  it('shows the newer count of somebody else, and says who counted', async () => {
    server.refuse(setManualCounts, 'conflict');
    server.answer(findFragment, counted(1, 9, { reviewed_by: 'maria' }));
    const { hand } = await open();
    await hand.type(await adults('08:00'), '7');
    expect(await screen.findByText(/was counted by maria meanwhile/)).toBeVisible();
  });
});

describe('the count tab of a phone', () => {
  const onPhone = { device: 'phone' } as const;

  it('has the fragments in a sheet, and the video over the page', async () => {
    const { hand } = await open('/bus/7', onPhone);
    const sheet = await screen.findByRole('region', { name: '3 fragments' });
    await hand.click(within(sheet).getByRole('button', { name: /08:00/ }));
    const video = await screen.findByRole('dialog', { name: 'Дверь 1' });
    expect(within(video).getByRole('button', { name: 'Play' })).toBeVisible();
    expect(within(video).getByRole('textbox', { name: 'Adults entered, by hand' })).toBeVisible();
    await hand.click(within(video).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(video).not.toBeInTheDocument());
  });

  it('has a sign in each row until its picture is shown, and where there is no video', async () => {
    await open('/bus/7', onPhone);
    const sheet = await screen.findByRole('region', { name: '3 fragments' });
    const signs = within(sheet).getAllByRole('listitem');
    for (const row of signs)
      expect(row.querySelector('button > :first-child > svg')).not.toBeNull();
  });
});
