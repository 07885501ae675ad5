import { describe, expect, it } from 'vitest';
import { readPlaylist, writePlaylist } from './live-playlist.ts';

const told = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:2
#EXT-X-MEDIA-SEQUENCE:845
#EXT-X-MAP:URI="init.mp4"
#EXTINF:2.000000,
845.m4s
#EXTINF:1.900000,
846.m4s
`;

describe("a unit's live playlist", () => {
  it('is read for its numbers and names, and written anew for viewers', () => {
    const read = readPlaylist(told);
    expect(read).toEqual({
      target_s: 2,
      first: 845,
      pieces: [
        { name: '845.m4s', seconds: 2 },
        { name: '846.m4s', seconds: 1.9 },
      ],
    });
    const written = writePlaylist(
      read ?? { target_s: 1, first: 0, pieces: [] },
      (name) => `x/${name}?h`,
    );
    expect(written.split('\n').filter((line) => !line.startsWith('#EXT-X-V'))).toEqual([
      '#EXTM3U',
      '#EXT-X-TARGETDURATION:2',
      '#EXT-X-MEDIA-SEQUENCE:845',
      '#EXT-X-INDEPENDENT-SEGMENTS',
      '#EXT-X-MAP:URI="x/init.mp4?h"',
      '#EXTINF:2.00000,',
      'x/845.m4s?h',
      '#EXTINF:1.90000,',
      'x/846.m4s?h',
      '',
    ]);
  });

  it.each([
    ['names another server', told.replace('846.m4s', 'https://elsewhere.example/846.m4s')],
    ['names a file of the machine', told.replace('846.m4s', '../../etc/passwd')],
    ['has a segment without a duration', told.replace('#EXTINF:1.900000,\n', '')],
    ['has a segment of an hour', told.replace('1.900000', '999')],
    ['says no number', told.replace('#EXT-X-MEDIA-SEQUENCE:845\n', '')],
    ['lists nothing', '#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:1\n'],
    ['lists too much', told + '#EXTINF:2.0,\n9.m4s\n'.repeat(20)],
    ['is a web page', '<html></html>'],
  ])('is refused when it %s', (_why, text) => {
    expect(readPlaylist(text)).toBeUndefined();
  });
});
