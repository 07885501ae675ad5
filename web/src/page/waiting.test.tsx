import { findUnit, listUnits } from '@ridewatch/contract/admin-units';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { admin, page } from '../test/made.ts';
import { freshServer, openScreen } from '../test/open.tsx';
import type { FakeServer } from '../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(listUnits, { ...page([]), total: 1 });
  server.refuse(findUnit, 'not_found', 'There is no such object.');
});

describe('a part of a page that could not be loaded', () => {
  it.each([
    ['ru_RU', 'Не удалось загрузить выбранный прибор', '404: Не найдено'],
    // The server speaks English, and may know more than the code says.
    ['en_US', 'The chosen unit could not be loaded', '404: There is no such object.'],
  ] as const)('says why in %s, as the toast does', async (language, title, why) => {
    await openScreen(server, '/connect?unit=9999', { user: admin, language });
    const heading = await screen.findByRole('heading', { name: title });
    const part = within(heading.parentElement ?? document.body);
    expect(await part.findByText(why)).toBeVisible();
  });
});
