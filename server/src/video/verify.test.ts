// Files of most registrars; verify.long.test.ts has the others.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOddVideo } from '../test/odd-video.ts';
import { openReceiver, type Receiver } from '../test/receiver.ts';
import { expectReturned } from '../test/sent-file.ts';

let receiver: Receiver;

beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());

/** Width and height of a JPEG: the first frame header (ITU T.81, B.2.2). */
function sizeOfJpeg(bytes: Buffer): [number, number] {
  const at = bytes.findIndex(
    (byte, index) => byte === 0xff && [0xc0, 0xc1, 0xc2].includes(bytes[index + 1] ?? 0),
  );
  return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
}

describe('the file that the unit sent', () => {
  it('is returned as what it is', () => expectReturned(receiver, 'sound.mp4', 'video/mp4', 'mp4'));

  it('of a service camera is not given away, nor one that is not finished', async () => {
    const { server, folder, receive, get } = receiver;
    const file = makeOddVideo(folder, 'plain.mp4');
    const { id, download, download_playable } = await receive(file, 6000, 'cabin');
    expect([download, download_playable !== null]).toEqual([null, true]);
    const authorization = `Bearer ${await server.signIn('admin')}`;
    const asked = await get(`/api/download/${id}?processed=0`, { authorization });
    expect(asked.statusCode).toBe(404);
    expect((await get(`/api/download/${id}`, { authorization })).statusCode).toBe(200);
  });
});

describe('what is read from the file', () => {
  it('is given with the fragment', async () => {
    const file = makeOddVideo(receiver.folder, 'hevc.mp4');
    const { video } = await receiver.receive(file, 6000);
    expect(video).toMatchObject({ width: 160, height: 120, codec: 'hevc', time_map: null });
    expect(video?.duration_ms).toBeCloseTo(6000, -2);
  });

  it('tells where wall time and media time differ', async () => {
    const file = makeOddVideo(receiver.folder, 'pause-of-40s.ts');
    const { video } = await receiver.receive(file, 43_000, 'cabin');
    expect(video?.time_map?.at(-1)?.offset_ms).toBeCloseTo(43_000, -2);
    expect(video?.duration_ms).toBeLessThan(7000);
  });

  it('is a sheet of thumbnails, one every two seconds, under an address of its own', async () => {
    const { folder, receive, get } = receiver;
    const { id, video, playback_uri } = await receive(makeOddVideo(folder, 'plain.mp4'), 6000);
    const { uri, ...sprite } = video?.preview ?? { uri: '' };
    expect(sprite).toEqual({
      step_ms: 2000,
      count: 3,
      columns: 3,
      tile_width: 160,
      tile_height: 120,
    });
    const sheet = await get(uri);
    expect(sheet.headers['content-type']).toBe('image/jpeg');
    expect(sizeOfJpeg(sheet.rawPayload)).toEqual([480, 120]);
    const hash = new URLSearchParams(playback_uri?.split('?')[1]).get('hash');
    expect((await get(`/api/segments/preview/${id}?hash=${hash}`)).statusCode).toBe(403);
  });
});
