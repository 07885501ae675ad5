// Customers and people have their name and surname wherever they are named.
import { listCustomers } from '@ridewatch/contract/admin-customers';
import { changeRetentions } from '@ridewatch/contract/admin-several';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { page } from '../../test/made.ts';
import { madeCustomer, openSection } from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
});

describe('the whole name of a customer', () => {
  it('is in the question before its retention changes', async () => {
    server.answer(listCustomers, page([{ ...madeCustomer, surname: 'Котова' }]));
    server.answer(changeRetentions, {
      ...{ changed: 1, changed_ids: [1], refused: [] },
      former_days: {
        customers: [{ id: 1, video_days: null, files_days: null, positions_days: null }],
        defaults: { video_days: 90, files_days: 7, positions_days: 400 },
      },
    });
    const { hand } = await openSection(server, 'customers');
    await hand.click(await screen.findByRole('checkbox', { name: 'Choose all rows' }));
    await hand.click(await screen.findByRole('button', { name: 'Retention' }));
    const dialog = within(await screen.findByRole('dialog'));
    await hand.type(dialog.getByRole('textbox', { name: /^Video/ }), '30');
    await hand.click(dialog.getByRole('button', { name: 'Next' }));
    await screen.findByRole('button', { name: /^Change \d/ });
    expect(screen.getByRole('listitem', { name: '' })).toHaveTextContent(
      'Анна Котова: Video 90 by default → 30',
    );
  });
});
