// npm run book: the screenshot book. Every screen × device × language × state × theme as a PNG, with an index.html to
// look through; see docs/screenshot-book.md.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../harness/browser.ts';
import { shiftDate } from '../../scripts/shift-date.ts';
import {
  type Device,
  devices,
  type Language,
  languages,
  openView,
  openVisitor,
  showTheme,
  takePicture,
  themes,
} from './camera.ts';
import { takeGuidePictures } from './guide-pictures.ts';
import { indexPage, type Picture } from './index-page.ts';
import { addEmptyBus, bookOffsetMs, type Shown, showBare, showFull } from './products.ts';
import { allViews } from './views.ts';
import { LIMIT_MS, NotComplete } from './waiting.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** Contexts that are open at once, on two cores. */
const AT_ONCE = 2;

const states = ['full', 'empty', 'failed'] as const;
type State = (typeof states)[number];
interface Round {
  readonly shown: Shown;
  readonly state: State;
  readonly device: Device;
  readonly language: Language;
}

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: path.join(root, '.screens') },
    only: { type: 'string' },
    state: { type: 'string' },
    guide: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const USAGE = `npm run book -- [--only NAME] [--state full|empty|failed] [--out DIR] [--guide]
  --only NAME   only views whose name begins so
  --guide       only the pictures of docs/guide, which are committed`;

/** Sentences about views that did not become complete. */
const complaints: string[] = [];
const complain = (sentence: string): void => {
  complaints.push(sentence);
  process.stderr.write(`${sentence}\n`);
};

if (values.help) process.stdout.write(`${USAGE}\n`);
else await makeBook();
if (complaints.length > 0) {
  process.stderr.write(`${complaints.length} faults:\n${complaints.join('\n')}\n`);
  process.exitCode = 1;
}

async function makeBook(): Promise<void> {
  const startMs = performance.now();
  const say = (line: string): void => {
    const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
    process.stdout.write(`${seconds} s: ${line}\n`);
  };
  const wanted = states.filter((state) => values.state === undefined || state === values.state);
  const shown: Shown[] = [];
  const browser = await openBrowser();
  const pictures: Picture[] = [];
  const takeGuide = async (of: Browser, from: Shown, isBare: boolean): Promise<void> => {
    say(`${await takeGuidePictures(of, from, { isBare, complain })} pictures of the guide`);
  };
  try {
    await rm(values.out, { recursive: true, force: true });
    await mkdir(values.out, { recursive: true });
    if (wanted.includes('empty')) {
      setClock();
      const bare = await showBare();
      shown.push(bare);
      say('a new installation is ready');
      if (values.guide) await takeGuide(browser, bare, true);
      else pictures.push(...(await takeRounds(browser, bare, 'empty')));
    }
    const rest = wanted.filter((state) => state !== 'empty');
    if (rest.length > 0) {
      setClock();
      const full = await showFull();
      shown.push(full);
      say(`a fleet is ready: bus ${full.subject.busId}, ${full.subject.day}`);
      if (values.guide) await takeGuide(browser, full, false);
      for (const state of values.guide ? [] : rest) {
        pictures.push(...(await takeRounds(browser, full, state)));
        say(`${state}: done`);
      }
    }
    if (values.guide) return;
    await writeFile(path.join(values.out, 'index.html'), indexPage(pictures));
    say(`${pictures.length} pictures: ${path.join(values.out, 'index.html')}`);
  } finally {
    await browser.close();
    for (const one of shown) await one.remove();
  }
}

/** Sets the clock of this program, and of the servers and pages that it starts from now on, to the book's moment. */
function setClock(): void {
  const furtherMs = bookOffsetMs();
  shiftDate(furtherMs);
  process.env.CLOCK_OFFSET_MS = String(Number(process.env.CLOCK_OFFSET_MS || '0') + furtherMs);
}

async function takeRounds(browser: Browser, shown: Shown, state: State): Promise<Picture[]> {
  const isOfBus = ({ path: at }: { readonly path: string }) => at.startsWith('/bus/');
  const named = allViews.filter(
    ({ name, needsData }) =>
      name.startsWith(values.only ?? '') && !(state === 'empty' && needsData === true),
  );
  // An installation has no bus to show until the other screens of it have been shown.
  const parts =
    state === 'empty' ? [named.filter((one) => !isOfBus(one)), named.filter(isOfBus)] : [named];
  const pictures: Picture[] = [];
  for (const [part, own] of parts.entries()) {
    let of = shown;
    if (part === 1 && own.length > 0) {
      const id = await addEmptyBus(shown);
      of = { ...shown, subject: { ...shown.subject, busId: id, cabinId: id, pricedId: id } };
    }
    const rounds: Round[] = (Object.keys(devices) as Device[]).flatMap((device) =>
      (Object.keys(languages) as Language[]).map((language) => ({
        shown: of,
        ...{ state, device, language },
      })),
    );
    while (rounds.length > 0) {
      const now = rounds.splice(0, AT_ONCE);
      const taken = await Promise.all(now.map((round) => takeRound(browser, round, own)));
      pictures.push(...taken.flat());
    }
  }
  return pictures;
}

async function takeRound(
  browser: Browser,
  { shown, state, device, language }: Round,
  own: typeof allViews,
): Promise<Picture[]> {
  const pictures: Picture[] = [];
  const isFailing = state === 'failed';
  const page = await openVisitor(browser, { shown, device, language, isFailing });
  for (const one of own) {
    // The pictures show what was missing; those of other themes do not wait for it again.
    let limitMs = LIMIT_MS;
    const say = (error: unknown): void => {
      if (!(error instanceof NotComplete)) throw error;
      if (limitMs > 0) {
        complain(`${one.name}-${state}-${device}-${language}: ${error.message}`);
      }
      limitMs = 0;
    };
    await openView(page, one, shown).catch(say);
    for (const theme of themes) {
      const file = `${one.name}-${state}-${device}-${theme}-${language}.png`;
      await showTheme(page, theme, shown, limitMs).catch(say);
      await writeFile(path.join(values.out, file), await takePicture(page));
      pictures.push({ file, name: one.name, state, device, theme, language });
    }
  }
  await page.context().close();
  return pictures;
}
