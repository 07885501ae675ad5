// Sends requests whose addresses come from answers: an upload from its creation to its end, a live stream from its
// start to its segments, the signed addresses of videos.
import type { Chance } from '@ridewatch/unit/src/simulated/random.ts';
import { type Asker, type FuzzRequest, oddHeaders } from './requests.ts';
import { oddities, pick, whole } from './values.ts';
import type { Answer } from './wire.ts';
import type { World } from './world.ts';

/** Sends one request of a chain. @returns the answer, or undefined */
export type Send = (request: FuzzRequest) => Promise<Answer | undefined>;

type Chain = (world: World, chance: Chance, send: Send) => Promise<void>;

const SPOILED = 0.3;
const TUS = { 'tus-resumable': '1.0.0' };
const CHUNK_TYPE = { 'content-type': 'application/offset+octet-stream' };

/** Makes a request of a chain, sometimes with odd headers. */
function requestOf(
  chance: Chance,
  method: string,
  url: string,
  more: { asker: Asker; headers?: Record<string, string>; body?: Buffer },
): FuzzRequest {
  const odd = chance.happens(SPOILED / 2) ? oddHeaders(chance) : {};
  const asker = chance.happens(0.05)
    ? pick(chance, ['nobody', 'unit2', 'owner2'] as const)
    : more.asker;
  return { method, url, headers: { ...more.headers, ...odd }, body: more.body, asker };
}

const upload: Chain = async (world, chance, send) => {
  const { stream, seq } = pick(chance, world.announced);
  const encode = (text: string): string => Buffer.from(text).toString('base64');
  const isWhole = chance.happens(0.3);
  const file = isWhole ? world.clip : Buffer.alloc(whole(chance, 1, 20_000), 1);
  const metadata = `stream ${encode(stream)},seq ${encode(String(seq))}`;
  const created = await send(
    requestOf(chance, 'POST', '/unit/v1/uploads', {
      asker: 'unit1',
      headers: {
        ...TUS,
        'upload-length': String(file.length),
        'upload-metadata': chance.happens(0.9)
          ? metadata
          : `${metadata},sha256 ${encode('0'.repeat(64))}`,
        ...(chance.happens(0.2) ? CHUNK_TYPE : {}),
      },
      ...(chance.happens(0.2) ? { body: file.subarray(0, 100) } : {}),
    }),
  );
  const location = created?.headers.location;
  if (location === undefined) return;
  for (let step = whole(chance, 1, 4); step > 0; step -= 1) {
    const offset = chance.happens(0.7) ? 0 : pick(chance, [1, 100, file.length, 2 ** 53, -1]);
    const headers = { ...TUS, ...CHUNK_TYPE, 'upload-offset': String(offset) };
    const patch = requestOf(chance, 'PATCH', location, { asker: 'unit1', headers, body: file });
    const head = requestOf(chance, 'HEAD', location, { asker: 'unit1', headers: TUS });
    const end = requestOf(chance, 'DELETE', location, { asker: 'unit1', headers: TUS });
    // Concurrent requests, as after a lost link.
    if (chance.happens(0.2)) await Promise.all([send(patch), send(head), send(patch)]);
    else await send(pick(chance, [patch, patch, head, end]));
  }
};

interface Commands {
  readonly commands?: readonly { readonly id: number; readonly live?: { readonly path: string } }[];
}

const live: Chain = async (world, chance, send) => {
  const cabin = `/api/live/${world.cabinId}`;
  const started = await send(requestOf(chance, 'POST', cabin, { asker: 'owner1' }));
  const told = await send(requestOf(chance, 'GET', '/unit/v1/commands?wait=0', { asker: 'unit1' }));
  const { commands = [] } = readAnswer<Commands>(told);
  const path = commands.find((one) => one.live !== undefined)?.live?.path;
  if (path === undefined) return;
  const number = whole(chance, 0, 30);
  const list = `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:${number}\n#EXTINF:2.0,\n${number}.m4s\n`;
  const bodies: Readonly<Record<string, Buffer>> = {
    'init.mp4': world.clip,
    [`${number}.m4s`]: world.clip,
    'live.m3u8': Buffer.from(
      chance.happens(1 - SPOILED) ? list : `${list}${pick(chance, oddities)}`,
    ),
  };
  for (const [name, body] of Object.entries(bodies)) {
    await send(requestOf(chance, 'PUT', `${path}/${name}`, { asker: 'unit1', body }));
  }
  if (chance.happens(0.3))
    await send(requestOf(chance, 'DELETE', `${path}/${number}.m4s`, { asker: 'unit1' }));
  const { uri } = readAnswer<{ uri?: string }>(started);
  if (uri === undefined) return;
  const playlist = await send(requestOf(chance, 'GET', uri, { asker: 'nobody' }));
  const lines = playlist?.body.toString().match(/^\d+\/.*$/gm) ?? [];
  for (const line of lines.slice(0, 2)) {
    await send(requestOf(chance, 'GET', `/api/video_feed2/live/${line}`, { asker: 'nobody' }));
  }
};

interface VideoAddresses {
  readonly playback_uri?: string | null;
  readonly download?: string | null;
  readonly download_playable?: string | null;
  readonly video?: { readonly preview?: { readonly uri: string } | null } | null;
}

const video: Chain = async (world, chance, send) => {
  const id = pick(chance, world.known.get('segmentId') ?? [1]);
  const found = await send(requestOf(chance, 'GET', `/api/segments/${id}`, { asker: 'owner1' }));
  const {
    playback_uri,
    download,
    download_playable,
    video: file,
  } = readAnswer<VideoAddresses>(found);
  const uris = [playback_uri, download, download_playable, file?.preview?.uri];
  for (const uri of uris) {
    if (!uri) continue;
    const range = pick(chance, [
      'bytes=0-99',
      'bytes=-10',
      'bytes=99999999-',
      'x',
      'bytes=0-0,5-6',
    ]);
    const headers: Record<string, string> = chance.happens(0.5) ? { range } : {};
    const spoiled = chance.happens(SPOILED)
      ? `${uri}${pick(chance, ['0', '%00', '&hash=1', '&processed=2'])}`
      : uri;
    await send(requestOf(chance, 'GET', spoiled, { asker: 'nobody', headers }));
  }
};

const chains: readonly Chain[] = [upload, upload, live, video];

/** Runs a random chain until an answer has no further address. */
export async function runChain(world: World, chance: Chance, send: Send): Promise<void> {
  await pick(chance, chains)(world, chance, send);
}

function readAnswer<T extends object>(answer: Answer | undefined): Partial<T> {
  if (answer?.status !== 200) return {};
  return JSON.parse(answer.body.toString('utf8')) as T;
}
