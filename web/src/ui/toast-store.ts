export interface Toast {
  id: number;
  kind: 'error' | 'done';
  text: string;
  /** A second line. */
  more?: string | undefined;
}

const SHOWN_MS = 6_000;
const MOST_AT_ONCE = 4;
const listeners = new Set<() => void>();
let toasts: readonly Toast[] = [];
let lastId = 0;

/** Shows a toast for six seconds. A text that is shown already is not shown twice. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  if (toasts.some((shown) => shown.text === toast.text)) return;
  const id = ++lastId;
  change([...toasts, { ...toast, id }].slice(-MOST_AT_ONCE));
  setTimeout(() => closeToast(id), SHOWN_MS);
}

export function closeToast(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

export function currentToasts(): readonly Toast[] {
  return toasts;
}

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
