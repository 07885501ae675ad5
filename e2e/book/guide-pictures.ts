// The pictures of the users' guide: the documents in docs/guide name them, and a name says which view it is.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readMarkdown } from '@ridewatch/web/src/features/help/markdown.ts';
import type { Browser, Page } from 'playwright-core';
import {
  type Language,
  languages,
  openView,
  openVisitor,
  showTheme,
  takePicture,
} from './camera.ts';
import type { Shown } from './products.ts';
import { allViews } from './views.ts';
import { NotComplete } from './waiting.ts';

const folder = path.resolve(import.meta.dirname, '../../docs/guide');
/** The width of a page of the guide is 820 px; more is for dense displays. */
const WIDTH = 1280;
const HEIGHT = 800;
const QUALITY = 0.7;

/** In the order in which a visitor can see them. */
const viewNames = allViews.map(({ name }) => name);

/** A picture of the guide by its name: `bus-count-phone` is the view `bus-count` on a phone. */
export function readPictureName(name: string) {
  const device = name.endsWith('-phone') ? ('phone' as const) : ('desktop' as const);
  const view = name.replace(/-phone$/, '');
  // The first steps are the home page of a new installation.
  const isBare = view === 'first-steps';
  return { device, isBare, view: isBare ? 'home' : view };
}

/** The names of the pictures that the pages of a language show. */
export async function listPictures(language: Language): Promise<string[]> {
  const own = path.join(folder, language);
  const files = (await readdir(own)).filter((file) => file.endsWith('.md'));
  const texts = await Promise.all(files.map((file) => readFile(path.join(own, file), 'utf8')));
  return texts
    .flatMap(readMarkdown)
    .flatMap((block) => (block.kind === 'picture' ? [path.basename(block.source, '.webp')] : []));
}

/**
 * Takes the pictures that a product can show, in both languages. A view that does not become complete keeps its picture.
 * @param complain gets a sentence for each such view
 * @returns how many were taken
 */
export async function takeGuidePictures(
  browser: Browser,
  shown: Shown,
  options: { readonly isBare: boolean; readonly complain: (sentence: string) => void },
): Promise<number> {
  let taken = 0;
  for (const language of Object.keys(languages) as Language[]) {
    const wanted = (await listPictures(language))
      .map((name) => ({ name, ...readPictureName(name) }))
      .filter(({ isBare }) => isBare === options.isBare)
      .toSorted((a, b) => viewNames.indexOf(a.view) - viewNames.indexOf(b.view));
    for (const device of ['desktop', 'phone'] as const) {
      const own = wanted.filter((one) => one.device === device);
      if (own.length === 0) continue;
      const page = await openVisitor(browser, { shown, device, language });
      if (device === 'desktop') await page.setViewportSize({ width: WIDTH, height: HEIGHT });
      for (const { name, view } of own) {
        const found = allViews.find((one) => one.name === view);
        if (found === undefined) throw new Error(`docs/guide/${language}: no view '${view}'.`);
        try {
          await openView(page, found, shown);
          await showTheme(page, 'light', shown);
        } catch (error) {
          if (!(error instanceof NotComplete)) throw error;
          options.complain(`docs/guide/${language}/pictures/${name}.webp: ${error.message}`);
          continue;
        }
        const picture = await compress(page, await takePicture(page));
        await mkdir(path.join(folder, language, 'pictures'), { recursive: true });
        await writeFile(path.join(folder, language, 'pictures', `${name}.webp`), picture);
        taken++;
      }
      await page.context().close();
    }
  }
  return taken;
}

// The browser is the encoder that every machine with the book has.
async function compress(page: Page, png: Buffer): Promise<Buffer> {
  const encoder = await page.context().newPage();
  const encoded = await encoder.evaluate(
    async ({ data, quality }) => {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = document.createElement('canvas');
      canvas.width = image.width;
      canvas.height = image.height;
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', quality).replace(/^[^,]*,/, '');
    },
    { data: png.toString('base64'), quality: QUALITY },
  );
  await encoder.close();
  return Buffer.from(encoded, 'base64');
}
