/** Loads the page again, with all of its code. */
export function reloadPage(): void {
  window.location.reload();
}
