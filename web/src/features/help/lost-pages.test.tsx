import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';
import { reloadPage } from './reload-page.ts';

vi.mock('./pages-en.ts', () => {
  throw new Error('no link');
});
vi.mock('./api-page.tsx', () => {
  throw new Error('no link');
});

vi.mock('./reload-page.ts', () => ({ reloadPage: vi.fn() }));

let server: FakeServer;
beforeEach(() => {
  vi.mocked(reloadPage).mockClear();
  server = freshServer();
});

describe('a page of the help whose code does not come', () => {
  it.each([
    ['of the guide', '/help/bus-gps', 'desktop'],
    ['of the guide on a phone', '/help/bus-gps', 'phone'],
    ['with the list on a phone', '/help', 'phone'],
    ['of the API', '/help/api', 'desktop'],
  ] as const)('%s says so, and is loaded again when the user asks', async (_name, at, device) => {
    const opened = openScreen(server, at, { device });
    server.setLink(false);
    const { hand } = await opened;
    expect(await screen.findByRole('heading', { name: 'Could not load' })).toBeVisible();
    await hand.click(screen.getByRole('button', { name: 'Try again' }));
    expect(reloadPage).toHaveBeenCalledOnce();
  });
});
