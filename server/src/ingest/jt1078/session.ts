// One connection: one stream of one camera, which somebody watches. Everything else is closed, and counted with its reason.
import type { Socket } from 'node:net';
import { MAX_LIVE_SEGMENT_BYTES } from '@ridewatch/contract/unit';
import { isDatabaseAway, reasonOf } from '../../core/errors.ts';
import type { FaultLog } from '../../core/fault-log.ts';
import type { Deps } from '../../deps.ts';
import { failStream, noteSending, type StreamEnd } from '../../live/streams.ts';
import { type LiveEnd, type LiveRemux, openLiveRemux } from '../../media/live-remux.ts';
import { createPump, type SilenceLimits } from '../by-id/message-pump.ts';
import type { Place } from '../by-id/places.ts';
import type { Session } from '../by-id/tcp-listener.ts';
import { type AskedStream, findAskedStream, isStillAsked } from './asked-streams.ts';
import { CODECS, DATA } from './codes.ts';
import { createSegmentStore } from './live-segments.ts';
import { createPacketReader, type Packet, type Reading } from './packets.ts';
import { createPictureReader } from './pictures.ts';

/** Packets that are taken together. */
const MOST_TOGETHER = 64;
/** Most bytes in so many ms: eight megabits a second. */
const MOST_RATE = { bytes: 10_000_000, inMs: 10_000 } as const;
/** How long the database may be away while a stream goes on, ms. */
const MOST_AWAY_MS = 60_000;
/** Pictures of so long a time of which ffmpeg makes nothing are none, ms. */
const MOST_UNREAD_MS = 15_000;
/** Longest time between two key pictures, ms: a segment ends before one, and the first must come within LIVE_START_MS. */
const MOST_APART_MS = 35_000;
/** Without a segment for so long it is noted that the terminal sends, ms: it would soon be told again to do so. */
const NO_SEGMENT_MS = 5000;
const NOTHING = Buffer.alloc(0);

/** Why a connection ended. */
export type End =
  | Exclude<LiveEnd, 'killed'>
  | 'closed'
  | 'not_asked'
  | 'not_watched'
  | 'silent'
  | 'not_packets'
  | 'too_fast'
  | 'too_many'
  | 'taken_over'
  | 'wrong_codec'
  | 'database_away'
  | 'stopped';

export interface StreamLimits extends SilenceLimits {
  /** How often it is looked whether somebody still watches, ms. */
  readonly lookMs: number;
  /** Streams of a process. */
  readonly mostStreams: number;
  /** Connections of a process; those that bring no stream yet give way to new ones. */
  readonly connections: number;
}

export interface SessionDeps extends Pick<Deps, 'clock' | 'log' | 'database' | 'metrics'> {
  readonly limits: StreamLimits;
  /** Faults of the process in storing live video. */
  readonly faults: FaultLog;
  readonly ffmpegPath: string;
  readonly folder: string;
  /** The sessions of the process by stream. */
  readonly streams: Map<number, Pick<StreamSession, 'end'>>;
  /** That of the connection, which it keeps once it brings a stream; undefined: it is closed at once. */
  readonly place: Pick<Place, 'keep'> | undefined;
}

export interface StreamSession extends Session {
  end(reason: End): void;
}

/** The readings of the first header, or a packet. */
type Message = { readonly readings: readonly Reading[] } | Packet;

/** Serves a connection. */
export function openStreamSession(socket: Socket, deps: SessionDeps): StreamSession {
  const { limits, log, faults, clock, database, metrics, streams } = deps;
  const reader = createPacketReader();
  const pictures = createPictureReader();
  let stream: AskedStream | undefined;
  let video: { readonly payloadType: number; readonly remux: LiveRemux } | undefined;
  let looking: NodeJS.Timeout | undefined;
  let why: End | undefined;
  let ending = Promise.resolve();
  let rate = { sinceMs: clock.elapsedMs(), bytes: 0 };
  let seenMs = clock.elapsedMs();
  let isLooking = false;
  let hasHead = false;
  /** Whether pictures of a segment have come since the last look. */
  let isSending = false;
  /** When a piece was put last, by the clock of elapsed time, ms. */
  let putMs = clock.elapsedMs();
  /** The time of the last key picture in the stream, ms. */
  let keyMs = 0;

  const end = (reason: End): void => {
    why ??= reason;
    socket.destroy();
  };
  socket.on('close', () => {
    clearInterval(looking);
    video?.remux.kill();
    if (stream !== undefined && streams.get(stream.id) === own) streams.delete(stream.id);
    metrics.terminalStreams.set(streams.size);
    metrics.streamConnections.labels(reader.isLost() ? 'not_packets' : (why ?? 'closed')).inc();
  });
  const pump = createPump<Message>(socket, {
    ...{ name: 'jt1078', limits, log, readSome, answer },
    push: (bytes) => {
      const nowMs = clock.elapsedMs();
      if (nowMs - rate.sinceMs > MOST_RATE.inMs) rate = { sinceMs: nowMs, bytes: 0 };
      rate.bytes += bytes.length;
      if (rate.bytes > MOST_RATE.bytes) end('too_fast');
      else reader.push(bytes);
    },
    isLost: () => reader.isLost(),
  });
  socket.on('timeout', () => end('silent'));
  const own: StreamSession = {
    end,
    stop: async () => {
      why ??= 'stopped';
      await pump.stop();
      await ending;
    },
  };
  return own;

  function readSome(): Message[] {
    if (stream === undefined) {
      const readings = reader.readings();
      return readings === undefined ? [] : [{ readings }];
    }
    const packets: Packet[] = [];
    while (packets.length < MOST_TOGETHER) {
      const packet = reader.next();
      if (packet === undefined) break;
      packets.push(packet);
    }
    return packets;
  }

  async function answer(messages: readonly Message[]): Promise<Buffer> {
    for (const message of messages) {
      if (why !== undefined) break;
      if ('readings' in message) await open(message.readings);
      else await take(message);
    }
    return NOTHING;
  }

  async function open(readings: readonly Reading[]): Promise<void> {
    const found = await findAskedStream(database.db, readings, clock.nowMs()).catch(
      (error: unknown) => {
        if (!isDatabaseAway(error)) throw error;
        return 'away' as const;
      },
    );
    if (found === 'away' || found === undefined) {
      end(found === 'away' ? 'database_away' : 'not_asked');
      return;
    }
    // The terminal has connected again; its earlier connection is perhaps broken without the server's knowledge.
    const before = streams.get(found.id);
    if (before === undefined && streams.size >= limits.mostStreams) {
      end('too_many');
      return;
    }
    if (socket.destroyed) return;
    before?.end('taken_over');
    stream = found;
    streams.set(found.id, own);
    deps.place?.keep(String(found.id));
    metrics.terminalStreams.set(streams.size);
    reader.choose(found.reading);
    looking = setInterval(() => void look(found), limits.lookMs);
  }

  async function take(packet: Packet): Promise<void> {
    if (stream === undefined || packet.channel !== stream.reading.channel) return;
    if (packet.data === DATA.audio || packet.data === DATA.other) {
      pictures.pass(packet);
      return;
    }
    video ??= openVideo(stream, packet.payloadType);
    if (video?.payloadType !== packet.payloadType) {
      await fail(stream, 'wrong_codec', { failReason: 'not_a_video' });
      return;
    }
    const picture = pictures.take(packet);
    if (picture === undefined) return;
    isSending = true;
    if (picture.isKey) keyMs = picture.atMs;
    if (picture.atMs - keyMs > MOST_APART_MS) {
      await fail(stream, 'too_long', { failReason: 'not_a_video' });
    } else if (!hasHead && picture.atMs > MOST_UNREAD_MS) {
      await fail(stream, 'unreadable', { failReason: 'not_a_video' });
    } else if (!video.remux.write(picture)) await video.remux.drained();
  }

  function openVideo(own: AskedStream, payloadType: number): typeof video {
    const codec = CODECS[payloadType];
    if (codec === undefined) return undefined;
    const store = createSegmentStore(deps, own.id, codec);
    const remux = openLiveRemux({
      ...{ codec, ffmpegPath: deps.ffmpegPath, folder: deps.folder },
      startS: Math.max(0, clock.nowMs() - own.startedMs) / 1000,
      mostPieceBytes: MAX_LIVE_SEGMENT_BYTES,
      put: async (piece) => {
        hasHead = true;
        try {
          await store(piece);
        } catch (error) {
          faults.fail('pieces', reasonOf(error), { err: error }, 'live video was not stored');
          throw error;
        }
        putMs = clock.elapsedMs();
        faults.work('pieces', {}, 'live video is stored again');
      },
    });
    ending = remux.ended.then((reason) => finish(own, reason));
    return { payloadType, remux };
  }

  async function finish(own: AskedStream, reason: LiveEnd): Promise<void> {
    if (reason === 'killed') return;
    if (reason === 'not_put') end(reason);
    else await fail(own, reason, { failReason: 'not_a_video' });
  }

  // Ends the connection and the stream, so that its viewers see why.
  async function fail({ key }: AskedStream, reason: End, word: StreamEnd): Promise<void> {
    if (why !== undefined) return;
    end(reason);
    try {
      await database.db.transaction().execute((tx) => failStream(tx, key, word, clock.nowMs()));
    } catch (error) {
      if (!isDatabaseAway(error)) log.error({ err: error }, 'a live stream was not ended');
    }
  }

  async function look(own: AskedStream): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      const isAsked = await isStillAsked(database.db, own, clock.nowMs());
      if (!isAsked) end('not_watched');
      else if (isSending && clock.elapsedMs() - putMs > NO_SEGMENT_MS) {
        await noteSending(database.db, own.id, clock.nowMs());
      }
      isSending = false;
      seenMs = clock.elapsedMs();
    } catch (error) {
      if (!isDatabaseAway(error)) log.error({ err: error }, 'a live stream was not looked after');
      if (clock.elapsedMs() - seenMs > MOST_AWAY_MS) end('database_away');
    } finally {
      isLooking = false;
    }
  }
}
