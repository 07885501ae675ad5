import { listBoard } from '@ridewatch/contract/board';
import { listBuses } from '@ridewatch/contract/buses';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { busList } from '../../test/made.ts';
import { figures, fleet, rowOf } from '../../test/made-list.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(listBuses, busList(fleet));
  server.answer(listBoard, figures);
});
const open = () => openScreen(server, '/buses');

describe('the board', () => {
  it('reads the figures after the list, and says how old they are', async () => {
    server.hang(listBuses);
    await open();
    expect(server.asked(listBoard)).toHaveLength(0);
    server.answer(listBuses, busList(fleet));
    await open();
    expect(await screen.findByText(/^Figures/)).toHaveTextContent('Figures 0 s ago');
  });

  it('reads no figures while somebody types in the search, and reads them afterwards', async () => {
    server.hang(listBoard);
    const { hand } = await open();
    await rowOf('А 472');
    await waitFor(() => expect(server.asked(listBoard)).toHaveLength(1));
    await hand.type(screen.getByRole('textbox'), '47');
    await rowOf('А 472');
    expect(server.asked(listBoard)).toHaveLength(1);
    server.answer(listBoard, figures);
    expect(await screen.findByText('34 km/h')).toBeVisible();
    expect(server.asked(listBoard)).toHaveLength(2);
  });

  it('shows the list when the figures fail, and reads them when asked again', async () => {
    server.refuse(listBoard, 'internal');
    const { hand } = await open();
    expect(await screen.findByText(/Figures are not updated/)).toBeVisible();
    expect(await (await rowOf('А 472')).findByText('0 s ago')).toBeVisible();
    server.answer(listBoard, figures);
    await hand.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('moving')).toBeVisible();
  });
});
