// The stories of the service tab that make many clips: a cancelled request for 40 minutes, and signed addresses.
import { formatMoment } from '@ridewatch/contract/day';
import type { Fragment } from '@ridewatch/contract/fragments';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { type Cabin, openCabin } from '../harness/cabin.ts';
import { ask, signIn, waitFor } from '../harness/product.ts';
import { ZONE } from '../harness/zone.ts';

let cabin: Cabin;
beforeAll(async () => {
  cabin = await openCabin();
});
afterEach(() => cabin?.leave());
afterAll(() => cabin?.close());

const timeOf = ({ start_time }: Fragment): string =>
  formatMoment(Date.parse(start_time), ZONE, 'HH:mm');

describe("the cabin's recordings", () => {
  it('are no longer sent when the request is cancelled, and can be asked for again', async () => {
    const page = await cabin.visit('owner1');
    // 13:00 to 13:40.
    await page.goto(cabin.service(`date=${cabin.yesterday}&span=46800-49200`));
    await page.getByRole('button', { name: 'С этой камеры' }).click();
    const request = page.getByRole('listitem').filter({ hasText: '13:00:00 – 13:40:00' });
    const wanted = async () =>
      (await cabin.periods()).filter((one) => /^13:[0-3]/.test(timeOf(one)));
    await waitFor(
      async () => (await wanted()).some(({ status }) => status === 'LOADED'),
      'the first of the fragments',
      60_000,
    );
    await request.getByRole('button', { name: 'Отменить' }).click();
    await request.getByText('отменено').waitFor();
    await waitFor(
      async () => {
        const stopped = await cabin.database.query(
          "select 1 from unit_commands where kind = 'stop_fetch' and result = 'done'",
        );
        return stopped.rows.length === 1;
      },
      'the unit to stop',
      30_000,
    );
    const isGone = ({ fail_reason }: Fragment): boolean => fail_reason === 'cancelled';
    await waitFor(
      async () => (await wanted()).every((one) => isGone(one) || one.status === 'LOADED'),
      'each fragment to be whole or cancelled',
    );
    const gone = (await wanted()).filter(isGone);
    expect(gone.length).toBeGreaterThan(4);
    const open = "select 1 from unit_commands where kind like 'fetch_%' and finished_at is null";
    expect((await cabin.database.query(open)).rows).toEqual([]);
    await page.locator(`[data-fragment="${gone[0]?.id}"] button`).click();
    await page.getByText('Запрос отменён. Видео осталось на регистраторе').waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Запросить ещё раз' }).click();
    await waitFor(
      async () => (await wanted()).find(({ id }) => id === gone[0]?.id)?.status === 'LOADED',
      'the fragment that was asked for again',
    );
  });
});

describe('requests made by hand', () => {
  it('with the signed address of another fragment, another variant or another camera give nothing', async () => {
    const { product, cabinId, yesterday } = cabin;
    const token = await signIn(product.url, 'owner1');
    const range = { startTime: `${yesterday}T06:00:00Z`, endTime: `${yesterday}T06:10:00Z` };
    await ask(product.url, token, 'POST', '/api/segments/set-downloading', {
      cameraId: cabinId,
      ...range,
    });
    let own: Fragment[] = [];
    await waitFor(async () => {
      own = (await cabin.periods()).filter(({ playback_uri }) => playback_uri !== null);
      return own.length > 1;
    }, 'two fragments');
    const [first, second] = own;
    const uri = first?.playback_uri ?? '';
    const get = async (address: string): Promise<number> => {
      const answer = await fetch(product.url + address);
      await answer.body?.cancel();
      return answer.status;
    };
    expect(uri).toContain('hash=');
    expect(await get(uri)).toBe(200);
    expect(await get(uri.replace(`/${first?.id}?`, `/${second?.id}?`))).toBe(403);
    expect(await get(uri.replace('processed=1', 'processed=0'))).toBe(403);
    const hash = uri.split('hash=')[1] ?? '';
    expect(await get(`/api/video_feed2/live/${cabinId}?hash=${hash}`)).toBe(403);
    // Another user's id in the signed header.
    const forged = Buffer.from(hash, 'base64url');
    forged[9] = (forged[9] ?? 0) ^ 1;
    expect(await get(uri.replace(hash, forged.toString('base64url')))).toBe(403);
    // A later expiry.
    const longer = Buffer.from(hash, 'base64url');
    longer.writeUInt32BE(longer.readUInt32BE(0) + 3600, 0);
    expect(await get(uri.replace(hash, longer.toString('base64url')))).toBe(403);
  });
});
