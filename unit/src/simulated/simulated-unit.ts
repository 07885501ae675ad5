// One bus of the fleet at its uplink: tells what its day brings, makes the clips it is asked for, uploads, obeys
// commands.
import { addDays, dayOf } from '@ridewatch/contract/day';
import type { Refusal, UnitCommand } from '@ridewatch/contract/unit';
import { GoneError, runCommandLoop } from '../uplink/commands.ts';
import { type Connection, connect } from '../uplink/connection.ts';
import { createCounter } from '../uplink/counter.ts';
import { createMemoryOutbox } from '../uplink/outbox.ts';
import { createSender } from '../uplink/sender.ts';
import type { Timers } from '../uplink/timers.ts';
import { uploadVideo } from '../uplink/upload.ts';
import type { SimulatedBus } from './bus.ts';
import type { Studio } from './clip-studio.ts';
import { type BusDay, cameraStateAt, type Fragment, isWithin } from './day.ts';
import type { Days } from './days.ts';
import { createLiveCameras } from './live-cameras.ts';
import {
  announcedMs,
  type HISTORY_EVERY_MS,
  type LIVE_EVERY_MS,
  listRecords,
  queuedSeq,
  streamOf,
} from './records.ts';
import { listRecorded, recordedAnnouncement, recordedStreamOf } from './registrar.ts';
import type { PendingUpload } from './state.ts';

export interface UnitOptions {
  bus: SimulatedBus;
  days: Days;
  studio: Studio;
  /** What sends live video. */
  ffmpegPath: string;
  url: string;
  credential: string;
  timers: Timers;
  /** Whether the unit uploads a fragment by itself. */
  isQueued: (bus: SimulatedBus, day: string, fragment: Fragment) => boolean;
  onRefused: (bus: SimulatedBus, refusal: Refusal) => void;
  onFailure: (bus: SimulatedBus, error: Error) => void;
}

export interface SimulatedUnit {
  readonly bus: SimulatedBus;
  readonly connection: Connection;
  /** Everything before this moment is stored by the server; ms since 1970 UTC. */
  sentUntilMs: number;
  /** Fragments that are announced for upload and not uploaded. */
  readonly pending: PendingUpload[];
  /**
   * Tells what happened up to a moment, day by day, and waits until the server has it.
   * @returns how many records were stored
   */
  tellUntil(
    untilMs: number,
    positionsEveryMs: typeof HISTORY_EVERY_MS | typeof LIVE_EVERY_MS,
    signal: AbortSignal,
  ): Promise<number>;
  /** Whether the link is up at a moment of the world. */
  isLinked(momentMs: number): boolean;
  /** Makes and uploads the clip of one fragment that was announced for it. */
  uploadPending(upload: PendingUpload, signal: AbortSignal): Promise<void>;
  findFragment(upload: PendingUpload): Fragment | undefined;
  /** Uploads a file as the video of a fragment that was announced for it. */
  deliver(upload: PendingUpload, file: string, signal: AbortSignal): Promise<void>;
  /** Obeys commands until the signal fires. */
  obey(signal: AbortSignal): Promise<void>;
}

/** Puts a bus on the air; it is silent until told to tell. */
export function createUnit(options: UnitOptions): SimulatedUnit {
  const { bus, days, studio, timers } = options;
  const connection = connect({ url: options.url, credential: options.credential });
  const outbox = createMemoryOutbox();
  const sender = createSender({
    connection,
    outbox,
    timers,
    onRefused: (refusal) => options.onRefused(bus, refusal),
    onFailure: (error) => options.onFailure(bus, error),
  });
  const pending: PendingUpload[] = [];
  const dayAt = (ms: number): BusDay => days.find(bus, dayOf(ms, bus.zone));
  const liveCameras = createLiveCameras({
    bus,
    dayAt,
    seed: days.seed,
    connection,
    ffmpegPath: options.ffmpegPath,
    timers,
    isLinked: () => unit.isLinked(timers.nowMs()),
    onFailure: (error) => options.onFailure(bus, error),
  });

  /** Puts what happened in a span of a day into the outbox. @returns the fragments that it announces for upload */
  const tellDay = (
    day: BusDay,
    fromMs: number,
    toMs: number,
    everyMs: 1000 | 5000,
  ): PendingUpload[] => {
    const isQueued = (fragment: Fragment): boolean => options.isQueued(bus, day.day, fragment);
    const span = { fromMs, toMs, positionsEveryMs: everyMs };
    outbox.add(streamOf(days.seed, day), listRecords(day, { seed: days.seed, ...span, isQueued }));
    return [...day.fragments.entries()].flatMap(([index, fragment]) => {
      const atMs = announcedMs(day, fragment);
      if (atMs < fromMs || atMs >= toMs || !isQueued(fragment)) return [];
      return [{ deviceId: bus.deviceId, day: day.day, index }];
    });
  };

  const unit: SimulatedUnit = {
    bus,
    connection,
    sentUntilMs: Number.NaN,
    pending,
    tellUntil: async (untilMs, everyMs, signal) => {
      let stored = 0;
      while (unit.sentUntilMs < untilMs && !signal.aborted) {
        const day = dayAt(unit.sentUntilMs);
        const toMs = Math.min(untilMs, day.endMs);
        const announced = tellDay(day, unit.sentUntilMs, toMs, everyMs);
        const count = await sender.flush(signal);
        stored += count;
        if (outbox.peek(1, timers.nowMs()) !== undefined) continue;
        unit.sentUntilMs = toMs;
        // Only now: a video that comes before the word of its fragment is refused for good.
        const fresh = announced.filter((one) => !pending.some((known) => isSame(known, one)));
        for (const one of fresh) pending.push(one);
      }
      return stored;
    },
    isLinked: (momentMs) => !dayAt(momentMs).linkBreaks.some((span) => isWithin(span, momentMs)),
    findFragment: (upload) => days.find(bus, upload.day).fragments[upload.index],
    deliver: async (upload, file, signal) => {
      const stream = streamOf(days.seed, { bus, day: upload.day });
      const announced = { stream, seq: queuedSeq(upload.index) };
      await uploadVideo({ connection, timers, announced, file, signal });
      const at = pending.findIndex((one) => isSame(one, upload));
      if (at >= 0) pending.splice(at, 1);
    },
    uploadPending: async (upload, signal) => {
      const fragment = unit.findFragment(upload);
      if (fragment === undefined) throw new Error('the registrar has no such fragment');
      await studio.make(fragment, (file) => unit.deliver(upload, file, signal));
    },
    obey: (signal) =>
      runCommandLoop({
        connection,
        timers,
        signal,
        isLinked: () => unit.isLinked(timers.nowMs()),
        execute,
        onFailure: (error) => options.onFailure(bus, error),
      }),
  };

  async function execute(command: UnitCommand, signal: AbortSignal): Promise<void> {
    switch (command.kind) {
      case 'fetch_segment':
        return fetchFragment(command, signal);
      case 'fetch_range':
        return fetchRange(command, signal);
      case 'report_camera_states':
        return reportCameraStates(signal);
      case 'start_live':
        return liveCameras.start(command, signal);
      case 'stop_live':
        return liveCameras.stop(command);
      case 'stop_fetch':
        // The uplink itself takes back what it has begun.
        return;
    }
  }

  async function sendVideo(
    announced: { readonly stream: string; readonly seq: number },
    file: string,
    signal: AbortSignal,
  ): Promise<void> {
    await uploadVideo({ connection, timers, announced, file, signal });
  }

  // A registrar first says what it has, and then sends it.
  async function fetchRange({ range }: UnitCommand, signal: AbortSignal): Promise<void> {
    if (range === undefined) throw new GoneError('the command names no stretch of time');
    const stretch = { startMs: Date.parse(range.start_time), endMs: Date.parse(range.end_time) };
    const nowMs = timers.nowMs();
    const listed = [dayAt(stretch.startMs), dayAt(stretch.endMs - 1)].flatMap((day, index, both) =>
      both.indexOf(day) < index
        ? []
        : listRecorded(days.seed, day, range.camera, stretch, nowMs).map((one) => ({
            ...one,
            stream: recordedStreamOf(streamOf(days.seed, day)),
          })),
    );
    const own = createMemoryOutbox();
    for (const one of listed) own.add(one.stream, [recordedAnnouncement(one)]);
    await createSender({ connection, outbox: own, timers }).flush(signal);
    for (const { fragment, index, stream } of listed) {
      const announced = { stream, seq: queuedSeq(index) };
      const send = (file: string) => sendVideo(announced, file, signal);
      await studio.make(fragment, send, signal);
    }
  }

  async function fetchFragment({ segment }: UnitCommand, signal: AbortSignal): Promise<void> {
    if (segment === undefined) throw new GoneError('the command names no fragment');
    const startMs = Date.parse(segment.start_time);
    const endMs = Date.parse(segment.end_time);
    const day = dayAt(startMs);
    const recorded = listRecorded(days.seed, day, segment.camera, { startMs, endMs }, endMs);
    const fragment = [...day.fragments, ...recorded.map((one) => one.fragment)].find(
      (one) => one.startMs === startMs && one.camera.streamId === segment.camera,
    );
    if (fragment === undefined) throw new GoneError('the registrar has no such fragment');
    const { stream, seq } = segment;
    await studio.make(fragment, (file) => sendVideo({ stream, seq }, file, signal), signal);
  }

  // Not a part of the world: somebody asked, so these records have a counter of their own.
  async function reportCameraStates(signal: AbortSignal): Promise<void> {
    const nowMs = timers.nowMs();
    const counter = createCounter();
    const day = dayAt(nowMs);
    const records = bus.cameras.map((camera) => ({
      type: 'camera_state' as const,
      seq: counter.next(),
      time: new Date(nowMs).toISOString(),
      camera: camera.streamId,
      status: cameraStateAt(day, camera, nowMs),
    }));
    const own = createMemoryOutbox();
    own.add(counter.stream, records);
    await createSender({ connection, outbox: own, timers }).flush(signal);
  }
  return unit;
}

function isSame(a: PendingUpload, b: PendingUpload): boolean {
  return a.deviceId === b.deviceId && a.day === b.day && a.index === b.index;
}

/** The first moment of the local day `days` whole days before the one of `nowMs`. */
export function daysBefore(bus: SimulatedBus, nowMs: number, days: number, all: Days): number {
  return all.find(bus, addDays(dayOf(nowMs, bus.zone), -days)).startMs;
}
