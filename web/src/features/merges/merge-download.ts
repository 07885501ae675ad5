// Downloads live outside of components, because they continue while their panel is closed.
import type { MergeRequest } from '@ridewatch/contract/merges';
import { useSyncExternalStore } from 'react';
import { ApiError, errorOf } from '../../core/api-error.ts';
import { markConnected, markLost } from '../../core/connection.ts';
import { noteDownload } from '../../notification-poll/downloads.ts';
import {
  changeNotifications,
  refreshNotifications,
} from '../../notification-poll/use-notifications.ts';
import { save } from '../reports/save-file.ts';
import { fileNameOf } from './merge-facts.ts';

/**
 * Larger files are written to disk while they arrive, or left to the browser, so that they do not fill the page's
 * memory.
 */
const MAX_MEMORY_BYTES = 1_500_000_000;

interface Download {
  /** 0 to 1. */
  readonly share: number;
  readonly stop: () => void;
}

let running: ReadonlyMap<number, Download> = new Map();
const listeners = new Set<() => void>();

/** The running download of a merged video; undefined if there is none. */
export function useDownload(requestId: number): Download | undefined {
  return useSyncExternalStore(subscribe, () => running.get(requestId));
}

/**
 * Downloads a merged video and marks it as SENT when it is complete.
 * @throws ApiError if the server refuses it or does not answer
 * @throws Error if it fails in another way, but not if the user stopped it
 */
export async function downloadMerge(merge: MergeRequest): Promise<void> {
  const { id, download, size_bytes } = merge;
  if (download === null || running.has(id)) return;
  const isLarge = (size_bytes ?? 0) > MAX_MEMORY_BYTES;
  const picker = (window as SavingWindow).showSaveFilePicker;
  if (isLarge && !picker) {
    save(download, fileNameOf(merge));
    noteDownload(id);
    void refreshNotifications();
    return;
  }
  const stopped = new AbortController();
  const target = isLarge ? await chosenFile(merge) : undefined;
  if (isLarge && !target) return;
  const report = (share: number) => set(id, { share, stop: () => stopped.abort() });
  report(0);
  try {
    const response = await request(download, stopped.signal);
    if (!response.ok || response.body === null) throw await errorOf(response);
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let bytes = 0;
    for (const reader = response.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      if (target) await target.write(value);
      else chunks.push(value);
      bytes += value.length;
      report(bytes / Math.max(1, size_bytes ?? bytes));
    }
    if (size_bytes !== null && bytes !== size_bytes)
      throw new Error(`got ${bytes} of ${size_bytes} bytes`);
    if (target) {
      await target.close();
    } else {
      const address = URL.createObjectURL(new Blob(chunks, { type: 'video/mp4' }));
      save(address, fileNameOf(merge));
      // By then the browser has started to read it.
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    }
    markSent(id);
  } catch (error) {
    // Discard what was written. A failed stream is already discarded.
    await target?.abort().catch(() => undefined);
    if (!stopped.signal.aborted) throw error;
  } finally {
    set(id, undefined);
  }
}

async function request(download: string, signal: AbortSignal): Promise<Response> {
  try {
    const response = await fetch(download, { signal });
    markConnected();
    return response;
  } catch (cause) {
    if (!signal.aborted) markLost();
    throw new ApiError(0, 'network', 'Network Error', { cause });
  }
}

/** API of browsers with file access, which TypeScript's types do not have yet. */
interface SavingWindow {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
}

/** Lets the user choose a file to write to; undefined if the user cancels. */
async function chosenFile(merge: MergeRequest): Promise<FileSystemWritableFileStream | undefined> {
  try {
    const options = { suggestedName: fileNameOf(merge) };
    const file = await (window as SavingWindow).showSaveFilePicker?.(options);
    return await file?.createWritable();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  }
}

function markSent(id: number): void {
  // An answer that says otherwise was made before the server noted its last byte: the poll asks again soon.
  noteDownload(id);
  changeNotifications(({ merges, ...rest }) => ({
    ...rest,
    merges: {
      ...merges,
      items: merges.items.map((one) => (one.id === id ? { ...one, status: 'SENT' } : one)),
    },
  }));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(id: number, download: Download | undefined): void {
  const next = new Map(running);
  if (download) next.set(id, download);
  else next.delete(id);
  running = next;
  for (const listener of listeners) listener();
}
