// The registrar of a terminal of JT/T 808: it lists its recordings (0x9205), uploads them by FTP (0x9206, 0x9207) and sends
// its cameras live (0x9101, 0x9102). Uploads go on while the terminal has no connection; it tells their end afterwards.
import { answerBody, JT808 } from '../jt808/bodies.ts';
import type { Jt808Command } from '../jt808/link.ts';
import type { Jt808Terminal } from '../jt808/terminal.ts';
import type { Timers } from '../uplink/timers.ts';
import { uploadByFtp } from './ftp-upload.ts';
import { createLiveChannels, type LiveSource } from './live-channels.ts';
import {
  type FileQuery,
  filesBody,
  JT1078,
  type RecordedFile,
  readFileQuery,
  readLiveRequest,
  readUploadRequest,
  UPLOAD_CONTROL,
  type UploadRequest,
  uploadedBody,
} from './messages.ts';
import type { Jt1078Camera } from './packet.ts';

const RESULT = { ok: 0, failed: 1, wrong: 2, notSupported: 3 } as const;
/** Uploads that are unfinished; another one is refused. */
const MOST_UPLOADS = 200;
/** Ends of uploads that a terminal without a connection remembers. */
const MOST_UNTOLD = 200;
/** A registrar waits for a link that the request allows, and looks for it so often, ms. */
const LINK_EVERY_MS = 5000;

export interface RegistrarOptions {
  readonly camera: Omit<Jt1078Camera, 'channel'>;
  /** How far the terminal's clock is ahead of UTC. */
  readonly clockHours: number;
  readonly timers: Timers;
  /** Ends all uploads and live channels. */
  readonly signal: AbortSignal;
  /** The recordings that a query chooses, by time. */
  readonly list: (query: FileQuery) => readonly RecordedFile[];
  /**
   * Makes the file of a recording, and deletes it after `deliver`.
   * @throws what `deliver` throws, the signal's reason, or an error when there is no file
   */
  readonly open: (
    file: RecordedFile,
    deliver: (path: string) => Promise<void>,
    signal: AbortSignal,
  ) => Promise<void>;
  /** Links that the terminal has now, as bits of 0x9206. */
  readonly links: () => number;
  readonly canShow: (channel: number) => boolean;
  readonly live: LiveSource;
  readonly onFailure: (error: Error) => void;
  /** Pause before the next try of an upload, ms. */
  readonly retryMs?: number;
}

export interface Registrar {
  /** Takes a message of the server that came by a connection of the terminal. */
  take(message: Jt808Command, from: Jt808Terminal): void;
  /** The terminal has signed in by this connection. */
  attach(terminal: Jt808Terminal): void;
  /** Ends what runs. Resolves when nothing runs any more. */
  close(): Promise<void>;
}

interface Upload {
  readonly serial: number;
  readonly file: RecordedFile;
  readonly request: UploadRequest;
  readonly cancelled: AbortController;
  /** Aborted by a pause, and made anew. */
  pause: AbortController;
  /** Resolves when a pause ends; undefined while there is none. */
  paused: PromiseWithResolvers<void> | undefined;
}

/** Creates the registrar of a terminal. */
export function createRegistrar(options: RegistrarOptions): Registrar {
  const { clockHours, timers } = options;
  const closing = new AbortController();
  const signal = AbortSignal.any([options.signal, closing.signal]);
  const fail = (error: unknown): void =>
    options.onFailure(error instanceof Error ? error : new Error(String(error)));
  const live = createLiveChannels(
    options.camera,
    (request, onFrame, over) => options.live(request, onFrame, AbortSignal.any([signal, over])),
    fail,
  );
  const uploads = new Set<Upload>();
  const running = new Set<Promise<void>>();
  let terminal: Jt808Terminal | undefined;
  let untold: Buffer[] = [];
  /** One file is sent at a time. */
  let last: Promise<void> = Promise.resolve();

  function tell(body: Buffer): void {
    if (terminal !== undefined) terminal.send(JT1078.uploaded, body);
    else untold = [...untold, body].slice(-MOST_UNTOLD);
  }

  function startLive(body: Buffer): number {
    const request = readLiveRequest(body);
    if (!options.canShow(request.channel)) return RESULT.failed;
    live.start(request);
    return RESULT.ok;
  }

  function startUpload(serial: number, body: Buffer): number {
    const request = readUploadRequest(body, clockHours);
    const { query } = request;
    const isIt = (file: RecordedFile): boolean =>
      file.channel === query.channel &&
      file.startMs === query.startMs &&
      file.endMs === query.endMs;
    const file = options.list(query).find(isIt);
    if (file === undefined) return RESULT.failed;
    // The server asks anew, with another login.
    for (const one of uploads) if (isIt(one.file)) one.cancelled.abort();
    if (uploads.size >= MOST_UPLOADS) return RESULT.failed;
    const upload: Upload = {
      ...{ serial, file, request, paused: undefined },
      ...{ cancelled: new AbortController(), pause: new AbortController() },
    };
    uploads.add(upload);
    const ended = run(upload).finally(() => {
      uploads.delete(upload);
      running.delete(ended);
    });
    running.add(ended);
    return RESULT.ok;
  }

  function controlUpload(body: Buffer): number {
    const serial = body.readUInt16BE(0);
    const upload = [...uploads].findLast((one) => one.serial === serial);
    if (upload === undefined) return RESULT.failed;
    const word = body.readUInt8(2);
    if (word === UPLOAD_CONTROL.cancel) upload.cancelled.abort();
    else if (word === UPLOAD_CONTROL.pause) {
      upload.paused ??= Promise.withResolvers();
      upload.pause.abort();
    } else if (word === UPLOAD_CONTROL.go) {
      upload.paused?.resolve();
      upload.paused = undefined;
    } else return RESULT.wrong;
    return RESULT.ok;
  }

  async function run(upload: Upload): Promise<void> {
    const ended = AbortSignal.any([signal, upload.cancelled.signal]);
    try {
      await transfer(upload, ended);
      tell(uploadedBody(upload.serial, true));
    } catch (error) {
      if (ended.aborted) return;
      tell(uploadedBody(upload.serial, false));
      fail(error);
    }
  }

  // A pause gives the turn away, and the file is made anew after it.
  async function transfer(upload: Upload, ended: AbortSignal): Promise<void> {
    for (;;) {
      await allowed(upload, ended);
      const { pause } = upload;
      const both = AbortSignal.any([ended, pause.signal]);
      try {
        return await inTurn(() => open(upload, both));
      } catch (error) {
        ended.throwIfAborted();
        if (!pause.signal.aborted) throw error;
      }
    }
  }

  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  }

  async function open({ file, request }: Upload, both: AbortSignal): Promise<void> {
    both.throwIfAborted();
    const folder = request.path.replace(/\/+$/, '');
    const remotePath = `${folder}/${file.channel}-${file.startMs}.mp4`;
    const { retryMs } = options;
    const way = { ...request, timers, remotePath, ...(retryMs !== undefined && { retryMs }) };
    await options.open(file, (path) => uploadByFtp({ ...way, file: path }, both), both);
  }

  /** Waits for the end of a pause, and for a link that the request allows. */
  async function allowed(upload: Upload, ended: AbortSignal): Promise<void> {
    const { conditions } = upload.request;
    const isAllowed = (): boolean => conditions === 0 || (conditions & options.links()) !== 0;
    for (;;) {
      ended.throwIfAborted();
      if (upload.paused !== undefined) {
        await Promise.race([upload.paused.promise, aborted(ended)]);
      } else if (isAllowed()) break;
      else await timers.sleep(LINK_EVERY_MS, ended);
    }
    if (upload.pause.signal.aborted) upload.pause = new AbortController();
  }

  function resultOf({ id, serial, body }: Jt808Command): number {
    if (id === JT1078.startLive) return startLive(body);
    if (id === JT1078.controlLive) {
      live.stop(body.readUInt8(0));
      return RESULT.ok;
    }
    if (id === JT1078.upload) return startUpload(serial, body);
    if (id === JT1078.controlUpload) return controlUpload(body);
    return RESULT.notSupported;
  }

  function answer(message: Jt808Command, from: Jt808Terminal): void {
    const { id, serial, body } = message;
    if (id === JT1078.queryFiles) {
      const files = options.list(readFileQuery(body, clockHours));
      from.send(JT1078.files, filesBody(serial, files, clockHours));
    } else from.send(JT808.answer, answerBody(serial, id, resultOf(message)));
  }

  return {
    take: (message, from) => {
      try {
        answer(message, from);
      } catch (error) {
        // A body that is cut off.
        from.send(JT808.answer, answerBody(message.serial, message.id, RESULT.wrong));
        fail(error);
      }
    },
    attach: (attached) => {
      terminal = attached;
      void attached.link.closed.then(() => {
        if (terminal !== attached) return;
        terminal = undefined;
        for (const channel of live.running()) live.stop(channel);
      });
      for (const body of untold.splice(0)) attached.send(JT1078.uploaded, body);
    },
    close: async () => {
      closing.abort();
      await Promise.all([...running, live.close()]);
    },
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
