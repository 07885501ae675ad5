import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answerUnit, madeUnit } from '../../test/admin-unit.ts';
import { admin } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';

it('a unit whose test is being counted says how far it is, and begins no other test', async () => {
  const server = freshServer();
  answerUnit(server, { ...madeUnit, releasing: { released: 120_000, total: 270_000 } });
  await openScreen(server, '/admin/units/7', { user: admin });
  expect(await screen.findByText(/Being counted: 120.000 of 270.000 records/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Start the test' })).toBeDisabled();
  answerUnit(server);
  await expect.poll(() => screen.queryByText(/Being counted/), { timeout: 5000 }).toBeNull();
  expect(screen.getByRole('button', { name: 'Start the test' })).toBeEnabled();
});
