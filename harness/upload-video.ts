// Uploads as a unit does, by tus.
import { createHash } from 'node:crypto';
import { UPLOADS_PATH } from '@ridewatch/contract/unit';

/** Uploads a whole file for an announced fragment. */
export async function uploadVideo(
  url: string,
  credential: string,
  announced: { stream: string; seq: number },
  file: Buffer,
): Promise<void> {
  const encode = (text: string): string => Buffer.from(text).toString('base64');
  const sha256 = createHash('sha256').update(file).digest('hex');
  const common = { authorization: `Bearer ${credential}`, 'tus-resumable': '1.0.0' };
  const created = await fetch(url + UPLOADS_PATH, {
    method: 'POST',
    headers: {
      ...common,
      'upload-length': String(file.length),
      'upload-metadata': `stream ${encode(announced.stream)},seq ${encode(String(announced.seq))},sha256 ${encode(sha256)}`,
    },
  });
  const location = created.headers.get('location');
  if (!created.ok || location === null) throw new Error(`upload: ${await created.text()}`);
  const sent = await fetch(new URL(location, url), {
    method: 'PATCH',
    headers: {
      ...common,
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: new Uint8Array(file),
  });
  if (!sent.ok) throw new Error(`upload: ${sent.status} ${await sent.text()}`);
}
