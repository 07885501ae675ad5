import { findBusInfo, listBuses } from '@ridewatch/contract/buses';
import { listDayFragments, listPeriods } from '@ridewatch/contract/fragments';
import { requestMerge } from '@ridewatch/contract/merges';
import { findNotifications } from '@ridewatch/contract/notifications';
import { preloadRange } from '@ridewatch/contract/preload';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  at,
  bus,
  busInfo,
  busList,
  dayFragments,
  faraway,
  fragment,
  page,
} from '../../test/made.ts';
import { merge } from '../../test/made-merges.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(findBusInfo, busInfo({ gps_trackable: false }));
  server.answer(listBuses, busList([bus(7)]));
  server.answer(listDayFragments, dayFragments([fragment(1, '08:00')]));
  server.answer(
    listPeriods,
    page([fragment(1, '08:00'), fragment(2, '09:30'), faraway(3, '09:40')]),
  );
});

const open = async (address = '/bus/7') => {
  const view = await openScreen(server, address);
  await view.hand.click(await screen.findByRole('button', { name: 'Merge video' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Merge video' }));
  return { ...view, dialog };
};

describe('the dialog that merges video', () => {
  it('begins with all that the camera recorded on the day', async () => {
    const { dialog } = await open();
    expect(await dialog.findByText('Video of this day: 08:00:00 – 09:40:30')).toBeVisible();
    expect(dialog.getByRole('textbox', { name: 'Start' })).toHaveValue('08:00:00');
    expect(dialog.getByRole('textbox', { name: 'End' })).toHaveValue('09:40:30');
    expect(dialog.getByText(/^2 of 3 fragments of the period will be in it/)).toBeVisible();
  });

  it('says which frame size the video will have', async () => {
    const { dialog } = await open();
    expect(await dialog.findByText('Frame size: 640×360.')).toBeVisible();
  });

  it('says of fragments of several sizes that the largest is taken, as far as the period has it', async () => {
    const video = fragment(1, '08:00').video;
    const large = video && { ...video, width: 1920, height: 1080 };
    server.answer(
      listPeriods,
      page([fragment(1, '08:00'), fragment(2, '08:10'), fragment(3, '09:30', { video: large })]),
    );
    const { dialog, hand } = await open();
    expect(await dialog.findByText(/^Frame size: 1920×1080, the largest/)).toHaveTextContent(
      '2 fragments of another size will be scaled to it',
    );
    const end = dialog.getByRole('textbox', { name: 'End' });
    await hand.clear(end);
    await hand.type(end, '09:00:00');
    expect(dialog.getByText('Frame size: 640×360.')).toBeVisible();
  });

  it('says of fragments that break off that their ends will be missing, as far as the period has them', async () => {
    const video = fragment(1, '08:00').video;
    const cut = video && { ...video, truncated: { shown_ms: 14_000, of_ms: 30_000 } };
    server.answer(listPeriods, page([fragment(1, '08:00'), fragment(2, '09:30', { video: cut })]));
    const { dialog, hand } = await open();
    expect(await dialog.findByText(/^The video of 1 fragment ends early/)).toBeVisible();
    const end = dialog.getByRole('textbox', { name: 'End' });
    await hand.clear(end);
    await hand.type(end, '09:00:00');
    expect(dialog.queryByText(/breaks off/)).not.toBeInTheDocument();
  });

  it('asks for the merge, and says where one sees how far it is', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    server.answer(requestMerge, merge(4, { status: 'PROCESS' }));
    const { dialog, hand } = await open();
    await hand.click(await dialog.findByRole('button', { name: 'Merge' }));
    expect(await screen.findByText(/Notifications show how far it is/)).toBeVisible();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(server.asked(requestMerge)[0]?.body).toEqual({
      from: at('08:00'),
      to: at('09:40:30'),
      processed: true,
      deviceId: 1,
    });
    await vi.advanceTimersByTimeAsync(5_100);
    await waitFor(() => expect(server.asked(findNotifications).length).toBeGreaterThan(0));
  });

  it('says what is wrong with a typed period', async () => {
    const { dialog, hand } = await open();
    const start = await dialog.findByRole('textbox', { name: 'Start' });
    const submit = dialog.getByRole('button', { name: 'Merge' });
    await hand.clear(start);
    await hand.type(start, '09:50:00');
    expect(dialog.getByText('The start must be before the end')).toBeVisible();
    expect(submit).toBeDisabled();
    await hand.clear(start);
    await hand.type(start, 'x');
    expect(dialog.getByText('Type a time')).toBeVisible();
    await hand.clear(start);
    await hand.type(start, '07:00:00');
    expect(dialog.getByText('Before the first fragment')).toBeVisible();
  });

  it('moves the period by ten minutes on its slider', async () => {
    const { dialog } = await open();
    const from = await dialog.findByRole('slider', { name: 'Start' });
    fireEvent.change(from, { target: { value: '1' } });
    expect(dialog.getByRole('textbox', { name: 'Start' })).toHaveValue('08:10:00');
    expect(from).toHaveAttribute('aria-valuetext', '08:10:00');
  });

  it('has what is missing fetched from the registrar first', async () => {
    server.answer(preloadRange, { ...page([]), requests: [], unasked: [] });
    const { dialog, hand } = await open();
    await hand.click(await dialog.findByRole('button', { name: 'Fetch the others' }));
    expect(await screen.findByText(/1 fragment is on the way/)).toBeVisible();
    expect(server.asked(preloadRange)[0]?.body).toMatchObject({ cameraId: 1 });
  });

  it('names the missing part whose unit has left the bus and is silent', async () => {
    const part = { start_time: at('09:35'), end_time: at('09:50'), device_id: null };
    server.answer(preloadRange, {
      ...{ ...page([]), requests: [], unasked: [{ ...part, reason: 'silent' }] },
    });
    const { dialog, hand } = await open();
    await hand.click(await dialog.findByRole('button', { name: 'Fetch the others' }));
    const said = /^09:35:00 – 09:50:00 was not requested: .* sends nothing$/;
    expect(await dialog.findByText(said)).toBeVisible();
    expect(screen.queryByText(/on the way/)).not.toBeInTheDocument();
  });

  it('merges nothing of a period without video on the server', async () => {
    server.answer(listPeriods, page([faraway(3, '09:40')]));
    const { dialog } = await open();
    expect(await dialog.findByText(/it must be fetched first/)).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Merge' })).toBeDisabled();
    expect(dialog.getByRole('button', { name: 'Fetch the video' })).toBeEnabled();
  });

  it('says that the camera has no fragments on the day', async () => {
    server.answer(listPeriods, page([]));
    const { dialog } = await open();
    expect(
      await dialog.findByText('This camera has no fragments on the chosen day.'),
    ).toBeVisible();
  });

  it('stays open with the reason when the merge is refused', async () => {
    server.refuse(requestMerge, 'conflict');
    const { dialog, hand } = await open();
    await hand.click(await dialog.findByRole('button', { name: 'Merge' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      'The data have changed meanwhile: reload the page',
    );
  });

  it('says that too many merges are not finished', async () => {
    server.refuse(requestMerge, 'too_many_attempts');
    const { dialog, hand } = await open();
    await hand.click(await dialog.findByRole('button', { name: 'Merge' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('50 merges are not finished');
  });

  it('says of a lost connection that nothing was sent', async () => {
    const { dialog, hand } = await open();
    const submit = await dialog.findByRole('button', { name: 'Merge' });
    server.setLink(false);
    await hand.click(submit);
    expect(await dialog.findByText(/nothing was sent/)).toBeVisible();
    server.setLink(true);
  });

  it('begins with the camera that is looked at', async () => {
    const { dialog } = await open('/bus/7?camera=2');
    expect(await dialog.findByRole('combobox')).toHaveTextContent('Дверь 2');
  });
});
