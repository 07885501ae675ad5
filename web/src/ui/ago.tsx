import { useSyncExternalStore } from 'react';
import { nowMs } from '../core/clock.ts';
import { useText } from '../i18n/language.ts';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Time since a moment, `40 с назад`; updates itself. */
export function Ago({ moment }: { moment: string }) {
  const text = useText().common;
  return useSyncExternalStore(subscribe, () => text.ago(nowMs() - Date.parse(moment)));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    if (document.hidden) return;
    for (const one of listeners) one();
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
