// The cabin in a browser: recordings from the registrar, and two viewers of live video.
import type { LiveStream } from '@ridewatch/contract/live';
import type { Recalculation } from '@ridewatch/contract/recalculation';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { playsVideos } from '../harness/browser.ts';
import { type Cabin, openCabin } from '../harness/cabin.ts';
import { ask, signIn, waitFor } from '../harness/product.ts';

let cabin: Cabin;
beforeAll(async () => {
  cabin = await openCabin();
});
afterEach(() => cabin?.leave());
afterAll(() => cabin?.close());

const request = async (login: string, method: string, path: string, body?: object) => {
  const token = await signIn(cabin.product.url, login);
  const answer = await fetch(cabin.product.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return answer.status;
};

describe("the cabin's recordings", () => {
  it('are listed to the end of the window of a desktop', async () => {
    const page = await cabin.visit('operator');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(cabin.service(`date=${cabin.yesterday}`));
    const box = await page.locator('[data-fragments]').boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(288);
    const bottomPx = (box?.y ?? 0) + (box?.height ?? 0);
    expect(bottomPx).toBeGreaterThan(900 - 24);
    expect(bottomPx).toBeLessThanOrEqual(900);
  });

  it('are chosen by dragging along the timeline', async () => {
    const page = await cabin.visit('owner1');
    await page.goto(cabin.service(`date=${cabin.yesterday}`));
    const box = await page.locator('[data-range-layer]').boundingBox();
    if (box === null) throw new Error('no timeline');
    const y = box.y + box.height / 3;
    await page.mouse.move(box.x + box.width * 0.4, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.42, y, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/span=\d+-\d+/);
    expect(await page.getByRole('button', { name: 'С этой камеры' }).isEnabled()).toBe(true);
  });

  it('of an offline camera are not asked for; the bus is asked how it is', async () => {
    const page = await cabin.visit('owner1', { phone: true });
    const offline =
      "update cameras set status = 'offline', status_at = now() - interval '1 hour' where id = $1";
    await cabin.database.query(offline, [cabin.cabinId]);
    await page.goto(cabin.service(`date=${cabin.yesterday}&span=32400-33600`));
    await page.getByText('Камера не в сети').last().waitFor();
    expect(await page.getByRole('button', { name: 'С этой камеры' }).isDisabled()).toBe(true);
    expect(await findAxeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Обновить статус' }).click();
    await waitFor(async () => {
      const asked = await cabin.database.query(
        "select 1 from unit_commands where kind = 'report_camera_states' and result = 'done'",
      );
      return asked.rows.length === 1;
    }, 'the answer of the bus');
    await cabin.database.query("update cameras set status = 'online' where id = $1", [
      cabin.cabinId,
    ]);
    await page.getByRole('button', { name: 'Обновить статус' }).waitFor({ state: 'detached' });
  });
});

describe('the cabin live', () => {
  it('costs the bus one stream for two who watch, and ends when both have left', async ({
    skip,
  }) => {
    if (!(await playsVideos(cabin.browser))) skip('this browser plays no H.264 video');
    const pages = [await cabin.visit('owner1'), await cabin.visit('operator')];
    for (const page of pages) await page.goto(cabin.service('part=live'));
    for (const page of pages) {
      await page.waitForFunction(
        () => (document.querySelector('video')?.currentTime ?? 0) > 2,
        undefined,
        { timeout: 60_000 },
      );
      await page.getByText('эфир', { exact: true }).waitFor();
    }
    const count = async (statement: string): Promise<number> =>
      Number(
        (await cabin.database.query<{ count: string }>(statement, [cabin.cabinId])).rows[0]?.count,
      );
    expect(await count('select count(*) from live_streams where camera_id = $1')).toBe(1);
    const told = "select count(*) from unit_commands where camera_id = $1 and kind = 'start_live'";
    expect(await count(told)).toBe(1);
    await cabin.leave();
    // As if the time had passed for which the last viewer has asked.
    const unwanted = 'update live_streams set wanted_until = $2 where camera_id = $1';
    await cabin.database.query(unwanted, [cabin.cabinId, new Date()]);
    const token = await signIn(cabin.product.url, 'admin');
    await waitFor(async () => {
      const path = `/api/live/${cabin.cabinId}`;
      return (await ask<LiveStream>(cabin.product.url, token, 'GET', path)).state === 'ended';
    }, 'the end of the stream');
    await waitFor(
      async () =>
        (await count(
          "select count(*) from unit_commands where camera_id = $1 and kind = 'stop_live' and result = 'done'",
        )) === 1,
      'the unit to stop',
    );
    const left =
      'select count(*) from live_pieces join live_streams on live_streams.id = stream_id where camera_id = $1';
    expect(await count(left)).toBe(0);
  });
});

describe('requests made by hand', () => {
  it('for what one may not do are refused', async () => {
    const range = {
      startTime: `${cabin.yesterday}T06:00:00Z`,
      endTime: `${cabin.yesterday}T06:30:00Z`,
    };
    const preload = '/api/segments/set-downloading';
    expect(
      await request('owner1', 'POST', preload, { cameraId: cabin.foreignCabinId, ...range }),
    ).toBe(404);
    expect(await request('owner1', 'POST', `/api/live/${cabin.foreignCabinId}`)).toBe(404);
    expect(await request('owner1', 'POST', `/api/live/${cabin.doorId}`)).toBe(409);
    const recount = `/api/segments/recalculate/${cabin.doorId}`;
    const day = { from: range.startTime, to: range.endTime };
    for (const login of ['owner1', 'integrator', 'operator']) {
      expect(await request(login, 'POST', recount, day), login).toBe(403);
      expect(await request(login, 'GET', recount), login).toBe(403);
    }
    expect(await request('owner2', 'POST', `/api/workplaces/status/${cabin.busId}`)).toBe(404);
  });
});

describe('counting anew', () => {
  it('is asked for in the header by an administrator, who sees how far it is', async () => {
    const page = await cabin.visit('admin');
    await page.goto(`/bus/${cabin.busId}?date=${cabin.yesterday}`);
    await page.getByRole('button', { name: 'Пересчёт' }).click();
    await page.getByRole('button', { name: 'Пересчитать' }).click();
    await page.getByText(/Пересчитано|пересчитывать нечего/).waitFor();
    const token = await signIn(cabin.product.url, 'admin');
    const path = `/api/segments/recalculate/${cabin.cabinId}`;
    const { recalculation } = await ask<{ recalculation: Recalculation }>(
      ...([cabin.product.url, token, 'GET', path] as const),
    );
    expect(recalculation).toMatchObject({ state: 'done', failed: 0 });
    const owner = await cabin.visit('owner1');
    await owner.goto(`/bus/${cabin.busId}?date=${cabin.yesterday}`);
    await owner.locator('[data-fragments] li').first().waitFor();
    expect(await owner.getByRole('button', { name: 'Пересчёт' }).count()).toBe(0);
  });
});
