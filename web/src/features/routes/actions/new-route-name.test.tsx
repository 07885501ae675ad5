import { findBusInfo, listBuses } from '@ridewatch/contract/buses';
import { findLapRecalculation } from '@ridewatch/contract/lap-recalculation';
import { createRouteFromFile } from '@ridewatch/contract/routes';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { TODAY } from '../../../test/browser.ts';
import { bus, busInfo, busList } from '../../../test/made.ts';
import { freshServer, openScreen } from '../../../test/open.tsx';

it('a new route is named after each choice of a file until the user names it', async () => {
  const server = freshServer();
  server.answer(findBusInfo, busInfo({ date: TODAY }));
  server.answer(listBuses, busList([bus(7)]));
  server.answer(findLapRecalculation, { recalculation: null });
  const choices = ['А', 'Б', 'В'].map((id) => ({ id, name: `Маршрут ${id}`, stops: 4, points: 0 }));
  server.answer(createRouteFromFile, ({ body }) => ({
    proposal: {
      format: 'geojson' as const,
      ...{
        track: [],
        stops: [],
        ways: [],
        jumps: [],
        patterns: [],
        notes: [],
        turn: null,
        choices,
      },
      choice: body.choice ?? null,
      name: body.name ?? `Маршрут ${body.choice ?? 'города'}`,
    },
    replaces: null,
    group: null,
  }));
  const { hand } = await openScreen(server, '/bus/7/route?part=actions&act=file');
  await screen.findByRole('button', { name: 'Choose a file' });
  await hand.upload(
    screen.getByLabelText('Route file', { selector: 'input' }),
    new File(['{}'], 'city.geojson'),
  );
  const name = await screen.findByRole('textbox', { name: 'Name of the route' });
  for (const id of ['А', 'Б']) {
    await hand.click(await screen.findByRole('radio', { name: new RegExp(`Маршрут ${id}`) }));
    await waitFor(() => expect(name).toHaveValue(`Маршрут ${id}`));
  }
  await hand.clear(name);
  await hand.type(name, 'Кольцо');
  await hand.click(screen.getByRole('radio', { name: /Маршрут В/ }));
  await waitFor(() =>
    expect(server.asked(createRouteFromFile).at(-1)?.body).toMatchObject({
      choice: 'В',
      name: 'Кольцо',
    }),
  );
  expect(name).toHaveValue('Кольцо');
});
