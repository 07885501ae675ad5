// A unit of the simulated fleet: sends the records of its day, makes and uploads requested clips, executes commands.
import { addDays, dayOf, dayRange } from '@ridewatch/contract/day';
import type { Refusal } from '@ridewatch/contract/unit';
import type { UnitCommand } from '@ridewatch/contract/unit-commands';
import { GoneError, runCommandLoop } from '../uplink/commands.ts';
import { connect } from '../uplink/connection.ts';
import { createCounter } from '../uplink/counter.ts';
import { createMemoryOutbox } from '../uplink/outbox.ts';
import { createSender, type SenderOptions } from '../uplink/sender.ts';
import type { Timers } from '../uplink/timers.ts';
import { uploadVideo } from '../uplink/upload.ts';
import type { SimulatedBus } from './bus.ts';
import type { Studio } from './clip-studio.ts';
import { type BusDay, cameraStateAt, type Fragment, isWithin } from './day.ts';
import type { Days } from './days.ts';
import { createLiveCameras } from './live-cameras.ts';
import {
  announcedMs,
  EARLIER_EVERY_MS,
  listRecords,
  type PositionsEveryMs,
  queuedSeq,
  streamOf,
} from './records.ts';
import { listRecorded, recordedAnnouncement, recordedStreamOf } from './registrar.ts';
import type { PendingUpload } from './state.ts';

export interface UnitOptions {
  bus: SimulatedBus;
  days: Days;
  studio: Studio;
  /** The ffmpeg that encodes live video. */
  ffmpegPath: string;
  url: string;
  credential: string;
  timers: Timers;
  /** Whether the unit uploads a fragment without a request. */
  isQueued: (bus: SimulatedBus, fragment: Fragment) => boolean;
  onRefused: (bus: SimulatedBus, refusal: Refusal) => void;
  onFailure: (bus: SimulatedBus, error: Error) => void;
}

export interface SimulatedUnit {
  readonly bus: SimulatedBus;
  /** The server has stored all records before this moment, ms since 1970 UTC. */
  sentUntilMs: number;
  /** The start of the first local day whose records the server has stored, ms since 1970 UTC. */
  sentFromMs: number;
  /** Queued fragments that are not uploaded yet. */
  readonly pending: PendingUpload[];
  /**
   * Sends the records up to a moment, day by day, and waits until the server has stored them. A unit of another protocol
   * ends with the first ones that are not answered.
   * @returns the number of stored records
   */
  sendUntil(
    untilMs: number,
    positionsEveryMs: PositionsEveryMs,
    signal: AbortSignal,
  ): Promise<number>;
  /**
   * Sends the local day before `sentFromMs`, with few positions and without videos. It may run while present records
   * are sent. When the signal is aborted, the day is not sent, or not whole, and neither is that of a unit of another
   * protocol without an answer.
   * @param firstMs start of the first day that will be sent so, ms since 1970 UTC
   * @returns the number of stored records
   * @throws UplinkError when the server refuses the batch and a retry cannot help
   */
  sendDayBefore(firstMs: number, signal: AbortSignal): Promise<number>;
  /** Whether the simulated link is up at a moment. */
  isLinked(momentMs: number): boolean;
  /** Makes and uploads the clip of a queued fragment. */
  uploadPending(upload: PendingUpload, signal: AbortSignal): Promise<void>;
  findFragment(upload: PendingUpload): Fragment | undefined;
  /** Uploads a file as the video of a queued fragment. */
  deliver(upload: PendingUpload, file: string, signal: AbortSignal): Promise<void>;
  /** Executes commands until the signal is aborted. */
  runCommands(signal: AbortSignal): Promise<void>;
  /** Ends what it keeps open. */
  close(): Promise<void>;
}

/** The firmware that the units say they run. */
const FIRMWARE = 'simulated 1.0';

/** Creates the unit of a bus; it sends nothing until one of its functions is called. */
export function createUnit(options: UnitOptions): SimulatedUnit {
  const { bus, days, studio, timers } = options;
  const connection = connect({ url: options.url, credential: options.credential });
  const outbox = createMemoryOutbox();
  const senderOptions: Omit<SenderOptions, 'outbox'> = {
    connection,
    timers,
    firmware: FIRMWARE,
    onRefused: (refusal) => options.onRefused(bus, refusal),
    onFailure: (error) => options.onFailure(bus, error),
  };
  const sender = createSender({ ...senderOptions, outbox });
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

  /** Adds the records of a span of a day to the outbox. @returns the fragments that they queue */
  const addDay = (
    day: BusDay,
    fromMs: number,
    toMs: number,
    everyMs: PositionsEveryMs,
  ): PendingUpload[] => {
    const isQueued = (fragment: Fragment): boolean => options.isQueued(bus, fragment);
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
    sentUntilMs: Number.NaN,
    sentFromMs: Number.NaN,
    pending,
    sendUntil: async (untilMs, everyMs, signal) => {
      let stored = 0;
      while (unit.sentUntilMs < untilMs && !signal.aborted) {
        const day = dayAt(unit.sentUntilMs);
        const toMs = Math.min(untilMs, day.endMs);
        const announced = addDay(day, unit.sentUntilMs, toMs, everyMs);
        const count = await sender.flush(signal);
        stored += count;
        if (outbox.peek(1, timers.nowMs()) !== undefined) continue;
        unit.sentUntilMs = toMs;
        // The server refuses a video for good if it arrives before its announcement.
        const fresh = announced.filter((one) => !pending.some((known) => isSameUpload(known, one)));
        for (const one of fresh) pending.push(one);
      }
      return stored;
    },
    sendDayBefore: async (firstMs, signal) => {
      const day = dayAt(unit.sentFromMs - 1);
      const own = createMemoryOutbox();
      const records = listRecords(day, {
        seed: days.seed,
        fromMs: day.startMs,
        toMs: day.endMs,
        positionsEveryMs: EARLIER_EVERY_MS,
        isQueued: () => false,
      });
      own.add(streamOf(days.seed, day), records);
      const stored = await createSender({
        ...senderOptions,
        outbox: own,
        backlogFromMs: (waiting) => (waiting === 0 && day.startMs <= firstMs ? null : firstMs),
      }).flush(signal);
      if (own.peek(1, timers.nowMs()) === undefined) unit.sentFromMs = day.startMs;
      return stored;
    },
    isLinked: (momentMs) => !dayAt(momentMs).linkBreaks.some((span) => isWithin(span, momentMs)),
    findFragment: (upload) => days.find(bus, upload.day).fragments[upload.index],
    deliver: async (upload, file, signal) => {
      const stream = streamOf(days.seed, { bus, day: upload.day });
      const announced = { stream, seq: queuedSeq(upload.index) };
      await uploadVideo({ connection, timers, announced, file, signal });
      const at = pending.findIndex((one) => isSameUpload(one, upload));
      if (at >= 0) pending.splice(at, 1);
    },
    uploadPending: async (upload, signal) => {
      const fragment = unit.findFragment(upload);
      if (fragment === undefined) throw new Error('The registrar has no such fragment.');
      await studio.make(fragment, (file) => unit.deliver(upload, file, signal));
    },
    runCommands: (signal) =>
      runCommandLoop({
        connection,
        timers,
        signal,
        isLinked: () => unit.isLinked(timers.nowMs()),
        execute,
        onFailure: (error) => options.onFailure(bus, error),
      }),
    // The connections of requests close by themselves.
    close: async () => undefined,
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
        // The uplink has already stopped the commands.
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

  // The unit first announces the recordings of the range, then uploads them.
  async function fetchRange({ range }: UnitCommand, signal: AbortSignal): Promise<void> {
    if (range === undefined) throw new GoneError('The command names no range.');
    const span = { startMs: Date.parse(range.start_time), endMs: Date.parse(range.end_time) };
    const nowMs = timers.nowMs();
    const listed = [dayAt(span.startMs), dayAt(span.endMs - 1)].flatMap((day, index, both) =>
      both.indexOf(day) < index
        ? []
        : listRecorded(days.seed, day, range.camera, span, nowMs).map((one) => ({
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
    if (segment === undefined) throw new GoneError('The command names no fragment.');
    const startMs = Date.parse(segment.start_time);
    const endMs = Date.parse(segment.end_time);
    const day = dayAt(startMs);
    const recorded = listRecorded(days.seed, day, segment.camera, { startMs, endMs }, endMs);
    const fragment = [...day.fragments, ...recorded.map((one) => one.fragment)].find(
      (one) => one.startMs === startMs && one.camera.streamId === segment.camera,
    );
    if (fragment === undefined) throw new GoneError('The registrar has no such fragment.');
    const { stream, seq } = segment;
    await studio.make(fragment, (file) => sendVideo({ stream, seq }, file, signal), signal);
  }

  // The records of a request are not part of the simulated day, so they have their own counter.
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

function isSameUpload(a: PendingUpload, b: PendingUpload): boolean {
  return a.deviceId === b.deviceId && a.day === b.day && a.index === b.index;
}

/** The start of the local day `days` days before that of `nowMs`, ms since 1970 UTC. */
export function daysBefore({ zone }: SimulatedBus, nowMs: number, days: number): number {
  return dayRange(addDays(dayOf(nowMs, zone), -days), zone).startMs;
}
