import { findUnitAside, placeUnitAside } from '@ridewatch/contract/admin-aside';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { answerUnit, madeAside } from '../../test/admin-unit.ts';
import { admin, at } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import { type FakeServer, refusal } from '../../test/server.ts';

let server: FakeServer;
const group = { ...madeAside, received_at: at('08:30'), after: at('08:25') };
beforeEach(() => {
  server = freshServer();
  answerUnit(server);
});
const open = () => openScreen(server, '/admin/units/7', { user: admin });

describe('records of a unit without a time', () => {
  it('are counted from the time that is offered, and leave the drawer', async () => {
    server.answer(findUnitAside, { total: 7, items: [group] });
    server.answer(placeUnitAside, { total: 0, items: [] });
    const { hand } = await open();
    const part = (await screen.findByRole('heading', { name: 'Records without a time' })).closest(
      'section',
    ) as HTMLElement;
    expect(part).toHaveTextContent('the time of 7 records is not known');
    await hand.click(within(part).getByText(/4 entered, 1 exited/));
    await hand.click(within(part).getByRole('button', { name: 'Right before the next' }));
    server.answer(findUnitAside, { total: 0, items: [] });
    await hand.click(within(part).getByRole('button', { name: 'Count them' }));
    await expect
      .poll(() => server.asked(placeUnitAside)[0]?.body)
      .toEqual({
        groupId: 3,
        firstTime: at('08:24'),
      });
    await expect
      .poll(() => screen.queryByRole('heading', { name: 'Records without a time' }))
      .toBeNull();
  });

  it('show each message of the unit once, in the form of the feed', async () => {
    const raw = ['"0a1bff"', '"0a1bff"', '{"seq":1}', '"0a1bf'];
    server.answer(findUnitAside, { total: 7, items: [{ ...group, raw }] });
    const { hand } = await open();
    await hand.click(await screen.findByText(/4 entered, 1 exited/));
    await hand.click(screen.getByText('As the unit sent them'));
    const shown = screen.getByText(/^0a 1b ff/);
    expect(shown.textContent).toBe('0a 1b ff\n{\n "seq": 1\n}\n0a 1b f');
  });

  it('say which field is wrong, in the language of the page', async () => {
    server.answer(findUnitAside, { total: 7, items: [group] });
    server.answer(placeUnitAside, refusal('invalid_request', { field: 'firstTime' }));
    const { hand } = await open();
    await hand.click(await screen.findByText(/4 entered, 1 exited/));
    await hand.type(screen.getByLabelText('Time in Moscow'), '8:05');
    await hand.click(screen.getByRole('button', { name: 'Count them' }));
    expect(await screen.findByText(/would be in the future/)).toBeVisible();
  });
});
