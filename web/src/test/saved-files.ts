import { vi } from 'vitest';

/** Notes what the browser saves instead of saving it: each file as 'address as name'. Undone by `vi.restoreAllMocks`. */
export function noteSavedFiles(): string[] {
  const saved: string[] = [];
  URL.createObjectURL = () => 'blob:file';
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(`${this.getAttribute('href')} as ${this.download}`);
  });
  return saved;
}
