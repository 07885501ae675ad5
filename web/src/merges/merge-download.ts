// A download goes on while its panel is closed, so it is kept outside of it.
import { listMergeRequests, type MergeRequest } from '@ridewatch/contract/merges';
import { useSyncExternalStore } from 'react';
import { keyOf, queryClient } from '../api.ts';
import { errorOf } from '../api-error.ts';
import type { AnswerOf } from '../request.ts';
import { fileNameOf } from './merge-facts.ts';

/** A larger file is left to the browser: a page should not hold it. */
const MOST_HELD_BYTES = 1_500_000_000;

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
  if ((size_bytes ?? 0) > MOST_HELD_BYTES) {
    save(download, fileNameOf(merge));
    return;
  }
  const stopped = new AbortController();
  const tell = (share: number) => set(id, { share, stop: () => stopped.abort() });
  tell(0);
  try {
    const response = await fetch(download, { signal: stopped.signal });
    if (!response.ok || response.body === null) throw await errorOf(response);
    const pieces: BlobPart[] = [];
    let bytes = 0;
    for (const reader = response.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(value);
      bytes += value.length;
      tell(bytes / Math.max(1, size_bytes ?? bytes));
    }
    const address = URL.createObjectURL(new Blob(pieces, { type: 'video/mp4' }));
    save(address, fileNameOf(merge));
    // The browser has begun to read it by then.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    markSent(id);
  } catch (error) {
    if (!stopped.signal.aborted) throw error;
  } finally {
    set(id, undefined);
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
