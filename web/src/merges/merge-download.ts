// A download goes on while its panel is closed, so it is kept outside of it.
import { listMergeRequests, type MergeRequest } from '@ridewatch/contract/merges';
import { useSyncExternalStore } from 'react';
import { keyOf, queryClient } from '../api.ts';
import { errorOf } from '../api-error.ts';
import type { AnswerOf } from '../request.ts';
import { noteBrowserDownload } from './browser-downloads.ts';
import { fileNameOf } from './merge-facts.ts';

/** A larger file goes to the disk as it comes, or is left to the browser: a page should not hold it. */
const MAX_MEMORY_BYTES = 1_500_000_000;

interface Download {
  /** 0 to 1. */
  readonly share: number;
  readonly stop: () => void;
}

let running: ReadonlyMap<number, Download> = new Map();
const listeners = new Set<() => void>();

/** The download of a merged file that runs; undefined when none does. */
export function useDownload(requestId: number): Download | undefined {
  return useSyncExternalStore(subscribe, () => running.get(requestId));
}

/**
 * Takes a merged file away; it becomes SENT when it is whole.
 * @throws Error when it fails; nothing when it was stopped
 */
export async function downloadMerge(merge: MergeRequest): Promise<void> {
  const { id, download, size_bytes } = merge;
  if (download === null || running.has(id)) return;
  const isLarge = (size_bytes ?? 0) > MAX_MEMORY_BYTES;
  const picker = (window as SavingWindow).showSaveFilePicker;
  if (isLarge && !picker) {
    save(download, fileNameOf(merge));
    noteBrowserDownload(id);
    void queryClient.invalidateQueries({ queryKey: keyOf(listMergeRequests, {}) });
    return;
  }
  const stopped = new AbortController();
  const target = isLarge ? await chosenFile(merge) : undefined;
  if (isLarge && !target) return;
  const tell = (share: number) => set(id, { share, stop: () => stopped.abort() });
  tell(0);
  try {
    const response = await fetch(download, { signal: stopped.signal });
    if (!response.ok || response.body === null) throw await errorOf(response);
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let bytes = 0;
    for (const reader = response.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      if (target) await target.write(value);
      else chunks.push(value);
      bytes += value.length;
      tell(bytes / Math.max(1, size_bytes ?? bytes));
    }
    if (size_bytes !== null && bytes !== size_bytes) throw new Error('the file came in part only');
    if (target) {
      await target.close();
    } else {
      const address = URL.createObjectURL(new Blob(chunks, { type: 'video/mp4' }));
      save(address, fileNameOf(merge));
      // The browser has begun to read it by then.
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    }
    markSent(id);
  } catch (error) {
    // What was written of it goes; a stream that broke has gone already.
    await target?.abort().catch(() => undefined);
    if (!stopped.signal.aborted) throw error;
  } finally {
    set(id, undefined);
  }
}

/** What browsers with access to files have, and TypeScript does not know yet. */
interface SavingWindow {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
}

/** The file on the disk that somebody chose; undefined when they chose none. */
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

/** Saves what an address gives. */
export function save(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

function markSent(id: number): void {
  queryClient.setQueryData<AnswerOf<typeof listMergeRequests>>(
    keyOf(listMergeRequests, {}),
    (before) =>
      before && {
        ...before,
        items: before.items.map((one) => (one.id === id ? { ...one, status: 'SENT' } : one)),
      },
  );
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
