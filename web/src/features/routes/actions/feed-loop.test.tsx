import { findBusInfo, listBuses } from '@ridewatch/contract/buses';
import { findLapRecalculation } from '@ridewatch/contract/lap-recalculation';
import { findRoute, listRouteStops, updateRouteFromFile } from '@ridewatch/contract/routes';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { TODAY } from '../../../test/browser.ts';
import { bus, busInfo, busList, page, routeStop, routeWithTrack } from '../../../test/made.ts';
import { freshServer, openScreen } from '../../../test/open.tsx';

it('the turn of a loop of a feed ends when the user chooses another of its ways', async () => {
  const server = freshServer();
  server.answer(findBusInfo, busInfo({ group: routeWithTrack(), date: TODAY }));
  server.answer(listBuses, busList([bus(7)]));
  server.answer(findRoute, routeWithTrack());
  server.answer(listRouteStops, { ...page([routeStop(0, 'Вокзал')]), near_stops: [] });
  server.answer(findLapRecalculation, { recalculation: null });
  const choices = ['0.0.0', '0.0.1'].map((id) => ({ id, name: id, stops: 4, points: 0 }));
  const stops = ['Вокзал', 'Рынок', 'Парк', 'Вокзал'];
  server.answer(updateRouteFromFile, ({ body }) => ({
    proposal: {
      format: 'gtfs' as const,
      ...{ name: 'Кольцо', track: [], ways: [], jumps: [], patterns: [], notes: [], choices },
      stops: stops.map((name) => ({
        ...{ name, latitude: 55.75, longitude: 37.6, routeDirection: 'FORWARD' as const },
      })),
      choice: body.choice ?? '0.0.0',
      turn: {
        ...{ stops, suggested: 2, told: null },
        chosen: body.turn === undefined ? null : Number(body.turn),
      },
    },
    replaces: null,
    group: null,
  }));
  const { hand } = await openScreen(server, '/bus/7/route?part=actions&act=file');
  await screen.findByRole('button', { name: 'Choose a file' });
  await hand.upload(
    screen.getByLabelText('Route file', { selector: 'input' }),
    new File(['PK'], 'feed.zip'),
  );
  await hand.click(await screen.findByRole('button', { name: 'Turn here: Парк' }));
  const other = await screen.findByRole('radio', { name: /0\.0\.1/ });
  await waitFor(() => expect(other).toBeEnabled());
  await hand.click(other);
  await waitFor(() => expect(server.asked(updateRouteFromFile)).toHaveLength(3));
  expect(server.asked(updateRouteFromFile).map(({ body }) => [body.choice, body.turn])).toEqual([
    [undefined, undefined],
    ['0.0.0', '2'],
    ['0.0.1', undefined],
  ]);
});
