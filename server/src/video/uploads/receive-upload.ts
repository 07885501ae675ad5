// The way of a file that comes by another protocol than tus into the upload of its fragment: the same rules, the same
// lease, the same end.
import { Readable } from 'node:stream';
import { type DataStore, Upload } from '@tus/server';
import type { Db } from '../../core/db/db.ts';
import { checkRoom } from '../../core/disk.ts';
import { AppError } from '../../core/errors.ts';
import { checkVideo } from '../../core/video-off.ts';
import type { Deps } from '../../deps.ts';
import { settleShorter } from '../../fetching/short-ends.ts';
import { findUpload, lockFragmentOf } from '../upload-targets.ts';
import { refuseTooLong } from './abandon-upload.ts';
import { beginUpload, finishUpload, NOTE_EVERY_MS, noteProgress } from './accept-upload.ts';
import { throwNoRoom } from './tus-server.ts';
import { createUploadLocker } from './upload-lock.ts';
import { createUploadStore, endFile, newUploadId, storedBytes } from './upload-store.ts';

/** A file that a unit was asked for. */
export interface AwaitedFile {
  readonly unitId: number;
  readonly fragmentId: number;
  readonly lengthBytes: number;
}

interface Sending {
  /** The byte at which the sender begins. */
  readonly fromBytes: number;
  /** It begins anew, in place of what has come. */
  readonly isAnew: boolean;
  readonly bytes: AsyncIterable<Buffer>;
  /**
   * Looks once more whether the sender may store, right before it does: in the transaction that begins an upload, when
   * the fragment is locked. Nothing has changed when it throws.
   */
  readonly checkSender: (db: Db) => Promise<void>;
  /** Ends `bytes`: another sender of the same file wants to go on, or nobody wants it any more. */
  readonly giveWay: () => void;
}

/** Receives files into uploads. */
export interface UploadReceiver {
  /**
   * The stored bytes of a file; 0 when none have come.
   * @throws AppError unavailable when the store does not answer
   */
  storedOf(file: AwaitedFile): Promise<number>;
  /** @throws AppError video_off, or insufficient_storage when the disk is full */
  checkTakes(): Promise<void>;
  /**
   * Stores what is sent until its end; bytes that are stored already are left out. The whole file is finished and will
   * be verified.
   * @returns the stored bytes of the file
   * @throws AppError conflict when the video is not wanted, offset_mismatch when it begins behind the stored bytes,
   *   too_large when more comes than the file has (the attempt has failed then), unavailable when another sender has
   *   the lease, insufficient_storage, video_off; and whatever `checkSender` throws
   */
  receive(file: AwaitedFile, sending: Sending): Promise<number>;
  /** Finishes a file that is as long as what its sender has sent, as `settleShorter` settles. @returns whether it is */
  endShorter(file: AwaitedFile): Promise<boolean>;
}

/** Makes the receiver of a process. */
export function createUploadReceiver(deps: Deps): UploadReceiver {
  const store = createUploadStore(deps);
  const locker = createUploadLocker(deps);

  const findId = async (file: AwaitedFile): Promise<string | undefined> => {
    const row = await deps.database.db
      .selectFrom('uploads')
      .select('id')
      .where('segment_id', '=', file.fragmentId)
      .where('unit_id', '=', file.unitId)
      .where('length_bytes', '=', file.lengthBytes)
      .where('finished_at', 'is', null)
      .executeTakeFirst();
    return row?.id;
  };
  const checkTakes = async (): Promise<void> => {
    checkVideo(deps.videoOff);
    await checkRoom(deps.disk, 'insufficient_storage');
  };
  const begin = async (
    { unitId, fragmentId, lengthBytes }: AwaitedFile,
    { checkSender }: Sending,
  ): Promise<string> => {
    const id = newUploadId();
    await beginUpload(
      deps,
      { id, unitId, lengthBytes, sha256: null },
      async (tx) => {
        const fragment = await lockFragmentOf(tx, unitId, fragmentId);
        await checkSender(tx);
        return fragment;
      },
      () => store.create(new Upload({ id, size: lengthBytes, offset: 0 })),
    );
    return id;
  };
  const underLease = async <T>(
    id: string,
    giveWay: () => void,
    work: () => Promise<T>,
  ): Promise<T> => {
    const lease = locker.newLock(id);
    await lease.lock(new AbortController().signal, giveWay);
    try {
      return await work();
    } finally {
      await lease.unlock();
    }
  };

  return {
    checkTakes,
    storedOf: async (file) => {
      const id = await findId(file);
      return id === undefined ? 0 : storedBytes(store, id);
    },
    receive: async (file, sending) => {
      await checkTakes();
      const id = sending.isAnew ? undefined : await findId(file);
      if (id === undefined && sending.fromBytes > 0) throw behind(0);
      if (id !== undefined) await sending.checkSender(deps.database.db);
      const into = id ?? (await begin(file, sending).catch(throwNoRoom));
      return underLease(into, sending.giveWay, () => append(deps, store, into, file, sending));
    },
    endShorter: async (file) => {
      const id = await findId(file);
      const { db } = deps.database;
      const isShorter = await db.transaction().execute((tx) => settleShorter(tx, file.fragmentId));
      if (!isShorter || id === undefined) return false;
      await endFile(store, id, await storedBytes(store, id));
      await finish(deps, id);
      return true;
    },
  };
}

async function append(
  deps: Deps,
  store: DataStore,
  id: string,
  { lengthBytes }: AwaitedFile,
  { fromBytes, bytes }: Sending,
): Promise<number> {
  const stored = await storedBytes(store, id);
  if (fromBytes > stored) throw behind(stored);
  let isTooLong = false;
  let writtenBytes = stored;
  let isNoting = false;
  let notedMs = deps.clock.elapsedMs();
  const noteNow = (): void => {
    const nowMs = deps.clock.elapsedMs();
    if (isNoting || nowMs - notedMs < NOTE_EVERY_MS) return;
    [isNoting, notedMs] = [true, nowMs];
    noteProgress(deps, id, writtenBytes)
      .catch((err: unknown) =>
        deps.log.warn({ uploadId: id, err }, 'the progress of an upload was not stored'),
      )
      .finally(() => {
        isNoting = false;
      });
  };
  // The last piece waits for the end: a file that turns out to be too long never looks whole.
  async function* newBytes(): AsyncGenerator<Buffer> {
    let at = fromBytes;
    let last: Buffer | undefined;
    for await (const piece of bytes) {
      const known = Math.max(0, stored - at);
      at += piece.length;
      if (at > lengthBytes) {
        isTooLong = true;
        return;
      }
      const fresh = piece.subarray(known);
      if (at === lengthBytes) last = fresh;
      else if (fresh.length > 0) yield fresh;
      writtenBytes = Math.max(writtenBytes, at);
      noteNow();
    }
    if (last !== undefined) yield last;
  }
  const offset = await store
    .write(Readable.from(newBytes(), { objectMode: false }), id, stored)
    .catch(throwNoRoom);
  await noteProgress(deps, id, offset).catch(throwNoRoom);
  if (isTooLong) {
    await refuseTooLong(deps, id);
    throw new AppError('too_large', 'The file has more bytes than were announced.');
  }
  if (offset === lengthBytes) await finish(deps, id);
  return offset;
}

async function finish(deps: Deps, id: string): Promise<void> {
  await finishUpload(deps, id);
  // Somebody may have cancelled the video, or asked for it anew, while its last bytes came.
  if ((await findUpload(deps.database.db, id)) !== undefined) return;
  throw new AppError('conflict', 'The video is not wanted any more.');
}

const behind = (stored: number): AppError =>
  new AppError('offset_mismatch', `The received bytes end at ${stored}.`);
