import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../../harness/browser.ts';
import { findMissing, NotComplete, untilComplete } from './waiting.ts';

const complete = { texts: ['Вошло', '4 632'], busy: [], undrawnMaps: 0, images: [] };

describe('a picture of a page', () => {
  it('can be taken when nothing is on its way', () => {
    expect(findMissing(complete, true)).toEqual([]);
  });

  it.each([
    ['a map loads', { texts: ['Вошло', 'Карта загружается…'] }, /“Карта загружается…”/],
    ['a map loads, in English', { texts: ['The map is loading…'] }, /“The map is loading…”/],
    ['a map failed', { texts: ['Карта не загрузилась.', 'Повторить'] }, /“Карта не загрузилась\.”/],
    ['a map is not drawn', { undrawnMaps: 1 }, /^1 of its maps not drawn$/],
    ['a list loads', { texts: ['Загрузка…'] }, /“Загрузка…”/],
    ['a part is an outline', { busy: ['div in Отчёты'] }, /^div in Отчёты is busy$/],
    ['an image has no data', { images: ['/api/news/1'] }, /^the image \/api\/news\/1 not loaded$/],
  ])('waits while %s, and names it', (_what, state, phrase) => {
    const missing = findMissing({ ...complete, ...state }, false);
    expect(missing).toContainEqual(expect.stringMatching(phrase));
  });

  it.each([
    'Числа ещё неполные у 12 автобусов.',
    'The figures of 2 buses are not complete yet.',
    'день пересчитывается',
    'Круги пересчитываются',
    'считается…',
  ])('waits while a fleet whose days should be worked out says “%s”', (text) => {
    const state = { ...complete, texts: ['А 472 КМ', text] };
    expect(findMissing(state, true)).toEqual([`it says “${text}”`]);
    expect(findMissing(state, false)).toEqual([]);
  });

  it('does not wait for the unit of the demo that stays silent', () => {
    const text = 'Числа ещё неполные у 1 автобуса.';
    expect(findMissing({ ...complete, texts: [text, '1 из 12'] }, true)).toEqual([]);
  });
});

describe('the wait for a page', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
    page = await browser.newPage();
  });
  afterAll(() => browser?.close());

  it('ends when its maps are drawn and its parts are there', async () => {
    await page.setContent(
      '<main><div class="maplibregl-map"></div><ul aria-busy="true"></ul></main>',
    );
    let isOver = false;
    const waiting = untilComplete(page, { isCounted: false }).then(() => {
      isOver = true;
    });
    await page.evaluate(() => document.querySelector('ul')?.removeAttribute('aria-busy'));
    expect(isOver).toBe(false);
    await page.evaluate(() => document.querySelector('div')?.toggleAttribute('data-drawn', true));
    await waiting;
  });

  it('ends on a page of the guide, which quotes what other pages say while they wait', async () => {
    await page.setContent('<article><p>У выручки ненадолго появляется «считается…».</p></article>');
    await untilComplete(page, { isCounted: true });
  });

  it('ends after its limit with all that the page lacks, by name', async () => {
    await page.setContent(
      '<section aria-label="Карта"><div class="maplibregl-map"></div></section>' +
        '<section aria-label="Отчёты"><ul aria-busy="true">Строки</ul></section>',
    );
    const waiting = untilComplete(page, { isCounted: false, limitMs: 100 });
    await expect(waiting).rejects.toThrow(NotComplete);
    await expect(waiting).rejects.toThrow(
      'not complete after 0.1 s: ul (Строки) in Отчёты is busy; 1 of its maps not drawn',
    );
  });
});
