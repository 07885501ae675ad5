/**
 * Copies a text to the clipboard, also over plain http, where browsers have no clipboard API.
 * @returns whether it was copied
 */
export async function copyText(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // The browser refused; `execCommand` may still work.
    }
  }
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  // The selection has taken it.
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}
