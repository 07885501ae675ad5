import { describe, expect, it } from 'vitest';
import { pagePaths, tabPaths } from '../shell/paths.ts';
import { guidePageOf, keysOf } from './keys-of.ts';
import { en } from './texts-en.ts';
import { ru } from './texts-ru.ts';

const desk = { mayCount: true, isWide: true, section: undefined, mayChoose: true };
const paths = [...pagePaths, ...tabPaths].map(({ path }) => path);

describe('the keys of a screen', () => {
  it.each(paths)('of %s name the list itself, and no key twice', (path) => {
    for (const text of [ru, en]) {
      const groups = keysOf(path, { ...desk, mayCount: false });
      const keys = groups.flatMap((group) => text.groups[group].map(([key]) => key));
      expect(keys).toContain('?');
      expect(keys.filter((key) => key !== 'Esc' && !key.includes('←'))).toEqual([
        ...new Set(keys.filter((key) => key !== 'Esc' && !key.includes('←'))),
      ]);
    }
  });

  it('name those of counting to users who may count', () => {
    const may = { ...desk, isWide: false };
    expect(keysOf('/review', may)).toContain('counting');
    expect(keysOf('/bus/$busId', { ...may, mayCount: false })).not.toContain('counting');
    expect(keysOf('/stats', may)).not.toContain('counting');
  });

  it('name those of the rows in a section, and of choosing them where they have boxes', () => {
    const admin = '/admin/{-$section}/{-$id}';
    const shown = (section: string | undefined, mayChoose = true) =>
      keysOf(admin, { ...desk, section, mayChoose });
    expect(shown('units')).toEqual(['search', 'rows', 'boxes', 'everywhere']);
    expect(shown('units', false)).toEqual(['search', 'rows', 'everywhere']);
    expect(shown('audit')).toEqual(['search', 'rows', 'everywhere']);
    // The menu of the sections on a phone.
    expect(shown(undefined)).toEqual(['everywhere']);
  });
});

describe('the page of a screen in the guide', () => {
  it('is called as the path of the screen', () => {
    expect(
      ['/', '/bus/$busId', '/bus/$busId/gps', '/admin/{-$section}/{-$id}'].map(guidePageOf),
    ).toEqual(['home', 'bus', 'bus-gps', 'admin']);
    expect(new Set(paths.map(guidePageOf)).size).toBe(paths.length);
    expect(guidePageOf('/openid')).toBe('login');
  });
});
