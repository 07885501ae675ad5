// Each protocol of units has a page for engineers and one in the guide: every setting with its values, and every number that
// the server answers, stands there.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  EgtsSettings,
  Jt808Settings,
  OsmandSettings,
  UnitProtocol,
} from '@ridewatch/contract/unit-protocols';
import { describe, expect, it } from 'vitest';
import { RESULT as EGTS_RESULT } from '../server/src/ingest/egts/codes.ts';
import { RESULT as JT808_RESULT, REGISTRATION } from '../server/src/ingest/jt808/codes.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (name: string): string => readFileSync(path.join(root, 'docs', name), 'utf8');
/** The text under a heading of the second level, up to the next one. */
function part(page: string, heading: RegExp): string {
  const found = page.split(/^## /m).find((one) => heading.test(one));
  if (found === undefined) throw new Error(`no part ${heading}`);
  return found;
}
/** Whole numbers that begin or share the first cell of a row. */
const codesIn = (text: string): number[] =>
  [...text.matchAll(/^\| (\d+(?:, \d+)*) \|/gm)].flatMap(([, codes = '']) =>
    codes.split(', ').map(Number),
  );

const settings = { egts: EgtsSettings, jt808: Jt808Settings, osmand: OsmandSettings };
/** Settings whose values are words of their own, with them. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  counts: EgtsSettings.shape.counts.def.innerType.options,
  raw_flag: EgtsSettings.shape.raw_flag.def.innerType.options,
  module_bytes: EgtsSettings.shape.module_bytes.def.innerType.options,
  uploads: Jt808Settings.shape.uploads.def.innerType.options,
};

describe.each(UnitProtocol.options)('the page of %s', (protocol) => {
  const page = read(`${protocol}.md`);

  it('has each setting of a unit, and each value that is a word', () => {
    for (const name of Object.keys(settings[protocol].shape)) {
      expect(page).toContain(`\`${name}\``);
      for (const value of WORDS[name] ?? []) expect(page).toContain(`\`${value}\``);
    }
  });

  it('says how to connect, what comes twice, what is answered, and what each figure counts', () => {
    for (const heading of [/^Connecting/, /^What comes twice/, /^Answers/, /^Figures/]) {
      expect(part(page, heading).length).toBeGreaterThan(200);
    }
    for (const outcome of ['stored', 'repeated', 'kept_aside', 'other_content', 'too_dense']) {
      expect(part(page, /^Figures/)).toContain(`"${outcome}"`);
    }
  });
});

it('the page of EGTS has each result that packets and records get', () => {
  const told = codesIn(part(read('egts.md'), /^Answers/));
  expect(told.toSorted((a, b) => a - b)).toEqual(
    Object.values(EGTS_RESULT).toSorted((a, b) => a - b),
  );
});

it('the page of JT/T 808 has each result of messages and of registrations', () => {
  const told = codesIn(part(read('jt808.md'), /^Answers/));
  expect(told).toEqual([...Object.values(JT808_RESULT), ...Object.values(REGISTRATION)]);
});

describe.each(['en', 'ru'])('the guide in %s', (language) => {
  it.each(UnitProtocol.options)('has a page on connecting by %s, and the way to it', (protocol) => {
    expect(read(`guide/${language}/connect-${protocol}.md`).length).toBeGreaterThan(1000);
    expect(read(`guide/${language}/connect.md`)).toContain(`connect-${protocol}`);
  });

  it('has each result of EGTS', () => {
    const page = read(`guide/${language}/connect-egts.md`);
    const told = new Set(codesIn(page));
    expect(Object.values(EGTS_RESULT).filter((code) => !told.has(code))).toEqual([]);
  });
});
