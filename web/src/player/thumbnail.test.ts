import { describe, expect, it } from 'vitest';
import { isStream } from './streams.ts';
import { tileAt } from './thumbnail.tsx';

describe('the thumbnails of a video', () => {
  const sheet = { step_ms: 2000, count: 13, columns: 10, tile_width: 160, tile_height: 90 };

  it('are found row by row', () => {
    expect(tileAt(sheet, 0)).toEqual({ leftPx: 0, topPx: 0 });
    expect(tileAt(sheet, 5_999)).toEqual({ leftPx: 320, topPx: 0 });
    expect(tileAt(sheet, 22_000)).toEqual({ leftPx: 160, topPx: 90 });
  });

  it('go no further than the last one, and not before the first', () => {
    expect(tileAt(sheet, 99_000)).toEqual({ leftPx: 320, topPx: 90 });
    expect(tileAt(sheet, -1)).toEqual({ leftPx: 0, topPx: 0 });
  });
});

describe('the address of a video', () => {
  it('says whether it is an HLS stream', () => {
    expect(isStream('/api/video_feed2/7?hash=abc')).toBe(true);
    expect(isStream('https://example.org/api/video_feed2/7')).toBe(true);
    expect(isStream('/api/video_feed/7?processed=1&hash=/api/video_feed2/')).toBe(false);
  });
});
