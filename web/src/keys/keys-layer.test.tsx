import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import { listUnits } from '@ridewatch/contract/admin-units';
import { searchNews } from '@ridewatch/contract/news';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { admin, page } from '../test/made.ts';
import { freshServer, openScreen } from '../test/open.tsx';
import type { FakeServer } from '../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(searchNews, page([]));
});
const keys = () => screen.findByRole('dialog', { name: 'Keys' });

describe('the list of keys', () => {
  it('opens by the key ? at its physical place, closes by Esc, and returns the focus', async () => {
    const { hand } = await openScreen(server, '/news');
    const link = await screen.findByRole('link', { name: 'Statistics' });
    link.focus();
    await hand.keyboard('{Shift>}[Slash]{/Shift}');
    expect(within(await keys()).getByText('this list')).toBeVisible();
    await hand.click(within(await keys()).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('opens by the key that types a question mark, as on a Russian keyboard', async () => {
    await openScreen(server, '/news');
    await screen.findByRole('link', { name: 'Statistics' });
    fireEvent.keyDown(window, { key: '?', code: 'Digit7', shiftKey: true });
    expect(within(await keys()).getByText('this list')).toBeVisible();
  });

  it('leads to the page of the screen in the guide, beside the screen', async () => {
    const { hand, address } = await openScreen(server, '/news');
    await hand.keyboard('{Shift>}[Slash]{/Shift}');
    const guide = within(await keys()).getByRole('link', { name: 'How this page works' });
    expect(guide).toHaveAttribute('href', '/help/news');
    expect(guide).toHaveAttribute('target', '_blank');
    await hand.click(guide);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(address()).toMatch(/\/news$/);
  });

  it('leads from a section of the administration to its place in the guide', async () => {
    server.answer(findAdminOverview, {
      sections: [{ section: 'units', count: 0 }],
      ...{ clients: [], video_off: null, closed_ports: [] },
    });
    server.answer(listUnits, page([]));
    const { hand } = await openScreen(server, '/admin/units', { user: admin });
    await screen.findByRole('link', { name: /Units/ });
    await hand.keyboard('{Shift>}[Slash]{/Shift}');
    const guide = within(await keys()).getByRole('link', { name: 'How this page works' });
    expect(guide).toHaveAttribute('href', '/help/admin#units');
    expect(guide).toHaveAttribute('target', '_blank');
  });

  it('names the keys of a list in the administration, and of choosing its rows', async () => {
    const sections = [{ section: 'units' as const, count: 0 }];
    server.answer(findAdminOverview, { sections, clients: [], video_off: null, closed_ports: [] });
    server.answer(listUnits, page([]));
    const { hand } = await openScreen(server, '/admin/units', { user: admin });
    await screen.findByRole('link', { name: /Units/ });
    await hand.keyboard('{Shift>}[Slash]{/Shift}');
    expect(within(await keys()).getByText('list: previous / next row')).toBeVisible();
    expect(
      within(await keys()).getByText('list: choose rows in a range, from a box'),
    ).toBeVisible();
  });

  it('names no key of choosing where nothing can be changed', async () => {
    const sections = [{ section: 'units' as const, count: 0 }];
    server.answer(findAdminOverview, { sections, clients: [], video_off: null, closed_ports: [] });
    server.answer(listUnits, page([]));
    const user = { ...admin, viewed_by: 'chief' };
    const { hand } = await openScreen(server, '/admin/units', { user });
    await screen.findByRole('link', { name: /Units/ });
    await hand.keyboard('{Shift>}[Slash]{/Shift}');
    expect(within(await keys()).getByText('list: previous / next row')).toBeVisible();
    expect(within(await keys()).queryByText(/choose rows/)).not.toBeInTheDocument();
  });

  it('is there before sign-in, with the guide; in a field the key types', async () => {
    const { hand } = await openScreen(server, '/login', { user: null });
    const field = await screen.findByRole('textbox', { name: 'Username' });
    await hand.type(field, '{Shift>}[Slash]{/Shift}');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    screen.getByRole('button', { name: 'Sign in' }).focus();
    await hand.keyboard('{Shift>}[Slash]{/Shift}');
    expect(within(await keys()).getByText('this list')).toBeVisible();
    const guide = within(await keys()).getByRole('link', { name: 'How this page works' });
    expect(guide).toHaveAttribute('href', '/help/login');
    expect(guide).toHaveAttribute('target', '_blank');
  });
});
