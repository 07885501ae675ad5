// The text of the search, and the text in the address. The address follows after a pause in typing; on a slow machine
// an older text may still arrive there while the user types on.

export interface QueryText {
  readonly typed: string;
  readonly inAddress: string;
  /** Texts that the search has sent to the address and not yet seen there, oldest first. */
  readonly onWay: readonly string[];
}

/** The state when the search opens under an address. */
export function openText(inAddress: string): QueryText {
  return { typed: inAddress, inAddress, onWay: [] };
}

/** The state after the typed text is sent to the address. */
export function sendText(text: QueryText): QueryText {
  return { ...text, onWay: [...text.onWay, text.typed] };
}

/** Whether the typed text still has to be sent to the address. */
export function isAhead({ typed, inAddress, onWay }: QueryText): boolean {
  return typed !== (onWay.at(-1) ?? inAddress);
}

/**
 * The state after a change of the address. The search ignores a text that it sent itself, which must not undo later
 * typing. It adopts any other text: the user followed a link or stepped back.
 */
export function seeAddress(text: QueryText, inAddress: string): QueryText {
  const at = text.onWay.indexOf(inAddress);
  if (at < 0) return openText(inAddress);
  return { ...text, inAddress, onWay: text.onWay.slice(at + 1) };
}
