// A merged video from the dialog to the file: what each kind of registrar gives, kills and cancellation are in
// merges.long.test.ts.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import {
  type Cameras,
  type MergedVideos,
  mergeDialog,
  mergePanel,
  OWNER,
  startMergedVideos,
} from '../harness/merged-videos.ts';
import { waitFor } from '../harness/product.ts';

const cameras: Cameras = {
  door1: {
    name: 'Передняя дверь',
    recordings: [4, 4, 4, 10].map((seconds) => ({
      ...{ seconds, size: '320x180', rate: 25, tone: 440, extension: 'mp4' },
      coding: [
        ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25'],
        ...['-c:a', 'aac', '-ac', '1', '-movflags', '+faststart'],
      ],
    })),
  },
};

let merges: MergedVideos;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  merges = await startMergedVideos(cameras);
});
afterAll(() => merges?.end());
afterEach(() => context?.close());

describe('a merged video', () => {
  it('cannot be asked for beyond the fragments of the day, nor backwards', async () => {
    ({ page, context } = await merges.openBus());
    await page.getByRole('button', { name: 'Склеить видео' }).click();
    const dialog = mergeDialog(page);
    await dialog.getByText('Видео этого дня: 09:00:00 – 09:15:10').waitFor();
    const from = dialog.getByLabel('Начало', { exact: true }).last();
    const to = dialog.getByLabel('Конец', { exact: true }).last();
    const submit = dialog.getByRole('button', { name: 'Склеить', exact: true });
    for (const [field, value, problem] of [
      [from, '08:59:00', 'Раньше первого фрагмента'],
      [from, '09:15:10', 'Начало должно быть раньше конца'],
      [to, '09:30:00', 'Позже последнего фрагмента'],
    ] as const) {
      const before = await field.inputValue();
      await field.fill(value);
      await dialog.getByText(problem).first().waitFor();
      expect(await submit.isDisabled()).toBe(true);
      await field.fill(before);
    }
    // One step of the slider is ten minutes.
    const handle = dialog.getByRole('slider', { name: 'Начало' });
    await handle.press('ArrowRight');
    expect(await from.inputValue()).toBe('09:10:00');
    await dialog.getByText('Войдёт 2 из 2 фрагментов периода').waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
  });

  it('is ready, is taken away, and plays from end to end', async () => {
    ({ page, context } = await merges.openBus());
    await merges.askForMerge(page, 'door1');
    await page.getByRole('button', { name: /^(Уведомления|События)/ }).click();
    const item = merges.item(page, 'door1');
    await item.getByText('готово').waitFor();
    expect(await item.textContent()).toContain(OWNER);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      item.getByRole('button', { name: 'Скачать', exact: true }).click(),
    ]);
    const file = path.join(merges.folder, 'door1.mp4');
    await download.saveAs(file);
    await item.getByText('скачано').waitFor();
    await waitFor(async () => (await merges.latest()).status === 'SENT', 'the server to note it');
    const merge = await merges.latest();
    const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
    expect(merge.sha256).toBe(sha256);
    await item.getByText('Сведения о файле').click();
    await item.getByText(sha256).waitFor();
    const [sheet] = await Promise.all([
      page.waitForEvent('download'),
      item.getByRole('button', { name: 'Скачать сведения' }).click(),
    ]);
    expect(readFileSync(await sheet.path(), 'utf8')).toContain(`SHA-256: ${sha256}`);
    expect(await findAxeFaults(page)).toEqual([]);
    merges.checkFile('door1', file);
    await merges.checkPlays(page, merge, merges.lengthOf('door1'));
  });

  it('is found in the panel of a phone, which fits its width', async () => {
    ({ page, context } = await merges.openBus({ phone: true }));
    await page.getByRole('button', { name: 'Склеить видео' }).waitFor();
    const wider = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await wider()).toBe(0);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await wider()).toBe(0);
    await page.getByRole('button', { name: /^(Уведомления|События)/ }).click();
    await merges.item(page, 'door1').waitFor();
    // The closed sheet leaves the screen free.
    await mergePanel(page).getByRole('button', { name: 'Закрыть' }).click();
    await mergePanel(page).waitFor({ state: 'detached' });
  });
});
