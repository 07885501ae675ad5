import { describe, expect, it } from 'vitest';
import { type Language, languages } from './camera.ts';
import { listPictures, readPictureName } from './guide-pictures.ts';
import { allViews } from './views.ts';

const views = allViews.map(({ name }) => name);

describe.each(Object.keys(languages) as Language[])('a picture of the guide in %s', (language) => {
  it('has the name of a view of the book, so that it can be taken again', async () => {
    const pictures = await listPictures(language);
    expect(pictures.length).toBeGreaterThan(20);
    expect(pictures.filter((name) => !views.includes(readPictureName(name).view))).toEqual([]);
  });
});

describe('the name of a picture', () => {
  it.each([
    ['bus-count', { view: 'bus-count', device: 'desktop', isBare: false }],
    ['bus-count-phone', { view: 'bus-count', device: 'phone', isBare: false }],
    ['first-steps', { view: 'home', device: 'desktop', isBare: true }],
  ])('%s says its view, its device and its product', (name, said) => {
    expect(readPictureName(name)).toEqual(said);
  });

  it('is that of one view: no two have the same', () => {
    expect(new Set(views).size).toBe(views.length);
    expect(views.filter((name) => name.endsWith('-phone') || name === 'first-steps')).toEqual([]);
  });
});
