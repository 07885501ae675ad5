// The registrar of the simulated bus whose unit speaks JT/T 808: it lists what the cameras of the bus recorded, makes the
// file when the server asks for it, and shows the cabin live. Keys of cameras name their channels.
import { open, stat } from 'node:fs/promises';
import { addDays, dayOf } from '@ridewatch/contract/day';
import { createPictureReader } from '../jt1078/elementary-stream.ts';
import type { LiveSource } from '../jt1078/live-channels.ts';
import type { FileQuery, RecordedFile } from '../jt1078/messages.ts';
import { createRegistrar, type Registrar } from '../jt1078/registrar.ts';
import type { SimulatedCamera } from './bus.ts';
import type { Studio } from './clip-studio.ts';
import { cameraStateAt, type Fragment, isWithin, type Span } from './day.ts';
import type { Days } from './days.ts';
import { encodeLive, type LiveWorld } from './live-encoder.ts';
import { listRecorded } from './registrar.ts';

/** By the standard. */
const CLOCK_HOURS = 8;
/** Days of a list, from the beginning of the asked time on. */
const MOST_DAYS = 8;
/** Files of a list, the first ones of the asked time. */
const MOST_FILES = 2000;
const SECOND_MS = 1000;
/**
 * A registrar reserves its files: so much for each, and so much for each second. The encoder writes half of that at most,
 * and an empty box fills up the rest, so the list says the true size of a file that is not made yet.
 */
const FILE_BYTES = 64 * 1024;
const SECOND_BYTES = 16 * 1024;
/** Length and name of a box. */
const BOX_HEAD_BYTES = 8;
/** Links in 0x9206. */
const LINK = { wifi: 1, mobile: 4 } as const;
/** Sound and pictures, pictures, pictures or both: what has no sound has these, too. */
const WITH_PICTURES: readonly number[] = [0, 2, 3];
const ALL_OR_MAIN: readonly number[] = [0, 1];

export interface Jt808RegistrarOptions extends Omit<LiveWorld, 'dayAt'> {
  /** The number of the SIM card. */
  readonly phone: string;
  readonly days: Days;
  readonly studio: Pick<Studio, 'make'>;
  readonly signal: AbortSignal;
  readonly onFailure: (error: Error) => void;
}

/** A recording and its place in a list. */
interface Recording {
  readonly file: RecordedFile;
  readonly fragment: Fragment;
}

export interface Jt808Registrar extends Registrar {
  /** The channels without a signal at a moment, as bits, channel 1 in the lowest one. */
  lostChannels(momentMs: number): number;
}

/** Creates the registrar of a bus. */
export function createJt808Registrar(options: Jt808RegistrarOptions): Jt808Registrar {
  const { bus, days, studio, timers, signal } = options;
  const world: LiveWorld = { ...options, dayAt: (ms) => days.find(bus, dayOf(ms, bus.zone)) };

  function recordings(query: FileQuery): Recording[] {
    if (!WITH_PICTURES.includes(query.type) || query.alarm !== 0n) return [];
    if (!ALL_OR_MAIN.includes(query.stream) || !ALL_OR_MAIN.includes(query.storage)) return [];
    const nowMs = timers.nowMs();
    const endMs = Math.min(query.endMs ?? nowMs, nowMs);
    const span = { startMs: query.startMs ?? endMs - MOST_DAYS * DAY_MS, endMs };
    return bus.cameras
      .filter((camera) => query.channel === 0 || channelOf(camera) === query.channel)
      .flatMap((camera) => recordedBy(options, camera, span, nowMs))
      .map((fragment) => ({ fragment, file: fileOf(fragment) }))
      .sort((a, b) => a.file.startMs - b.file.startMs || a.file.channel - b.file.channel)
      .slice(0, MOST_FILES);
  }

  const cameraAt = (channel: number): SimulatedCamera | undefined =>
    bus.cameras.find((camera) => camera.live && channelOf(camera) === channel);
  const isOnline = (camera: SimulatedCamera, momentMs: number): boolean =>
    cameraStateAt(world.dayAt(momentMs), camera, momentMs) === 'online';
  // The depot has Wi-Fi.
  const links = (): number => {
    const nowMs = timers.nowMs();
    const isOut = world.dayAt(nowMs).services.some((service) => isWithin(service, nowMs));
    return isOut ? LINK.mobile : LINK.mobile | LINK.wifi;
  };

  const registrar = createRegistrar({
    camera: { phone: options.phone, codec: 'h264' },
    clockHours: CLOCK_HOURS,
    ...{ timers, signal, links, onFailure: options.onFailure },
    list: (query) => recordings(query).map(({ file }) => file),
    open: async (file, deliver, over) => {
      const found = recordings({ ...ANY, ...file }).find(
        (one) => one.file.startMs === file.startMs && one.file.endMs === file.endMs,
      );
      if (found === undefined) throw new Error('The registrar has no such file.');
      const fill = async (path: string): Promise<void> => {
        await fillUp(path, file.sizeBytes);
        await deliver(path);
      };
      await studio.make(found.fragment, fill, over);
    },
    canShow: (channel) => {
      const camera = cameraAt(channel);
      return camera !== undefined && isOnline(camera, timers.nowMs());
    },
    live: async ({ channel }, onFrame, over) => {
      const camera = cameraAt(channel);
      if (camera === undefined) throw new Error('The bus has no such service camera.');
      await showLive(world, camera, onFrame, over);
    },
  });
  const bitOf = (camera: SimulatedCamera): number => 1 << (channelOf(camera) - 1);
  return {
    ...registrar,
    lostChannels: (momentMs) =>
      bus.cameras
        .filter((camera) => !isOnline(camera, momentMs))
        .reduce((bits, camera) => bits | bitOf(camera), 0),
  };
}

const DAY_MS = 86_400_000;
const ANY = { alarm: 0n, type: 0, stream: 0, storage: 0 } as const;

/** The channel that a camera's key names. */
const channelOf = ({ streamId }: SimulatedCamera): number => Number(streamId.replace('ch', ''));

/** The recordings of a camera in a span, announced or not: of at most MOST_DAYS, and ended. */
function recordedBy(
  { bus, days }: Pick<Jt808RegistrarOptions, 'bus' | 'days'>,
  camera: SimulatedCamera,
  span: Span,
  nowMs: number,
): Fragment[] {
  const fragments: Fragment[] = [];
  const last = dayOf(span.endMs - 1, bus.zone);
  let name = dayOf(span.startMs, bus.zone);
  for (let n = 0; n < MOST_DAYS && name <= last; n += 1, name = addDays(name, 1)) {
    const day = days.find(bus, name);
    const own = day.fragments.filter(
      (one) => one.camera === camera && one.startMs < span.endMs && one.endMs > span.startMs,
    );
    const rest = listRecorded(days.seed, day, camera.streamId, span, nowMs);
    fragments.push(...own, ...rest.map(({ fragment }) => fragment));
  }
  return fragments.filter(({ endMs }) => endMs <= nowMs);
}

function fileOf({ camera, startMs, endMs }: Fragment): RecordedFile {
  const seconds = (endMs - startMs) / SECOND_MS;
  const sizeBytes = FILE_BYTES + seconds * SECOND_BYTES;
  return { channel: channelOf(camera), startMs, endMs, sizeBytes };
}

/** Fills an MP4 up by an empty box at its end. @throws Error when it is larger */
async function fillUp(path: string, sizeBytes: number): Promise<void> {
  const rest = sizeBytes - (await stat(path)).size;
  if (rest < BOX_HEAD_BYTES) throw new Error(`The recording is larger than ${sizeBytes} bytes.`);
  const box = Buffer.alloc(rest);
  box.writeUInt32BE(rest);
  box.write('free', 4, 'latin1');
  const file = await open(path, 'a');
  try {
    await file.write(box);
  } finally {
    await file.close();
  }
}

/** Seconds from key picture to key picture: pictures begin with one. */
const KEY_EVERY_S = 1;

async function showLive(
  world: LiveWorld,
  camera: SimulatedCamera,
  onFrame: Parameters<LiveSource>[1],
  signal: AbortSignal,
): Promise<void> {
  const reader = createPictureReader('h264');
  const startMs = world.timers.nowMs();
  /** Moments of the frames in the encoder, which keeps their order. */
  const moments: number[] = [];
  const onBytes = (bytes: Buffer): void => {
    for (const { isKey, bytes: picture } of reader.push(bytes)) {
      const timeMs = Math.round(Math.max(0, (moments.shift() ?? startMs) - startMs));
      onFrame({ kind: isKey ? 'key' : 'predicted', timeMs, bytes: picture });
    }
  };
  const output = ['-f', 'h264', 'pipe:1'];
  const way = { output, keyEveryS: KEY_EVERY_S, onBytes };
  await encodeLive(world, camera, { ...way, onFrame: (ms) => moments.push(ms) }, signal);
}
