import {
  findRecalculation,
  type Recalculation,
  recalculateFragments,
} from '@ridewatch/contract/recalculation';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { admin, at, busInfo, camera, serviceCamera } from '../../test/made.ts';
import { freshServer, showPart } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';
import { RecalculateForm } from './recalculate-form.tsx';

const running: Recalculation = {
  id: 3,
  cameraIds: [1],
  from: at('00:00'),
  to: at('10:00'),
  reload: false,
  created_at: at('14:00'),
  state: 'running',
  total: 10,
  done: 4,
  failed: 1,
};
const info = busInfo({ cameras: [camera(1), camera(2), serviceCamera(9)] });
let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(findRecalculation, { recalculation: null });
});
const show = (of = info) => showPart(<RecalculateForm info={of} />, { user: admin });
const start = () => screen.getByRole('button', { name: 'Recalculate' });

describe('the form that counts video anew', () => {
  it('begins with the shown day and all cameras of doors', async () => {
    server.answer(recalculateFragments, running);
    const { hand } = await show();
    expect(screen.getByRole('checkbox', { name: 'Дверь 1' })).toBeChecked();
    expect(screen.queryByRole('checkbox', { name: 'Салон 9' })).not.toBeInTheDocument();
    await hand.click(start());
    await waitFor(() =>
      expect(server.asked(recalculateFragments)[0]?.body).toEqual({
        cameraIds: [1, 2],
        from: at('00:00'),
        to: at('00:00', '2026-03-11'),
        reload: false,
      }),
    );
    expect(await screen.findByText(/4 of 10 recalculated/)).toHaveTextContent('failed: 1');
  });

  it('offers service cameras where files are fetched again', async () => {
    const { hand } = await show();
    await hand.click(screen.getByRole('checkbox', { name: /Fetch the files again first/ }));
    expect(screen.getByRole('checkbox', { name: 'Салон 9' })).toBeChecked();
  });

  it('wants at least one camera', async () => {
    const { hand } = await show();
    await hand.click(screen.getByRole('checkbox', { name: 'Дверь 1' }));
    await hand.click(screen.getByRole('checkbox', { name: 'Дверь 2' }));
    expect(screen.getByRole('alert')).toHaveTextContent('Choose at least one camera.');
    expect(start()).toBeDisabled();
  });

  it('wants an end behind the start', async () => {
    const { hand } = await show();
    const end = screen.getByLabelText('Time of the end');
    await hand.clear(end);
    await hand.type(end, '00:00:00');
    const begin = screen.getByLabelText('Time of the start');
    await hand.clear(begin);
    await hand.type(begin, '10:00:00');
    await hand.tab();
    expect(await screen.findByText('The end is before the start.')).toBeVisible();
  });

  it('shows how far the last one is, also when the page was opened anew', async () => {
    server.answer(findRecalculation, {
      recalculation: { ...running, total: 0, done: 0, failed: 0 },
    });
    await show();
    expect(await screen.findByText('Choosing the fragments…')).toBeVisible();
    expect(screen.getByText('Last recalculation: 10.03 00:00 – 10.03 10:00')).toBeVisible();
  });

  it('says that there was nothing to recalculate', async () => {
    const done = { ...running, state: 'done', total: 0, done: 0, failed: 0 } as const;
    server.answer(findRecalculation, { recalculation: done });
    await show();
    expect(await screen.findByText('There is nothing to recalculate in this time')).toBeVisible();
  });
});
