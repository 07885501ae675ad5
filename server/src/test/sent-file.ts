import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { makeOddVideo, type OddVideo } from './odd-video.ts';
import type { Receiver } from './receiver.ts';
import { sha256Of } from './video.ts';

/** Expects that a file is returned as what it is, and its playable form as MP4. */
export async function expectReturned(
  { folder, receive, get }: Receiver,
  name: OddVideo,
  type: string,
  extension: string,
): Promise<void> {
  const file = makeOddVideo(folder, name);
  const { download, download_playable, playback_uri } = await receive(file, 6000);
  const sent = await get(download);
  expect([sent.statusCode, sent.headers['content-type']]).toEqual([200, type]);
  expect(sent.headers['content-disposition']).toMatch(new RegExp(`_UTC%2B3\\.${extension}$`));
  expect(sha256Of(sent.rawPayload)).toBe(sha256Of(readFileSync(file)));
  const saved = await get(download_playable);
  expect(saved.headers['content-type']).toBe('video/mp4');
  expect(saved.headers['content-disposition']).toMatch(/_UTC%2B3\.mp4$/);
  expect((await get(playback_uri)).rawPayload.equals(saved.rawPayload)).toBe(true);
}
