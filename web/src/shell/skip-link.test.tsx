import { listBuses } from '@ridewatch/contract/buses';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { bus, busList } from '../test/made.ts';
import { freshServer, openScreen } from '../test/open.tsx';

it('leads the keyboard past the menu, to the screen', async () => {
  const server = freshServer();
  server.answer(listBuses, busList([bus(1)]));
  const { hand } = await openScreen(server, '/buses');
  await screen.findByRole('navigation', { name: 'Main menu' });
  await hand.tab();
  expect(screen.getByRole('button', { name: 'Skip to the content' })).toHaveFocus();
  await hand.keyboard('{Enter}');
  expect(screen.getByRole('main')).toHaveFocus();
  await hand.tab();
  expect(screen.getByRole('main')).toContainElement(document.activeElement as HTMLElement);
  expect(screen.getByRole('main')).not.toHaveAttribute('tabindex');
});
