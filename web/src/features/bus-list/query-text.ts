// What is typed into the search, and what the address says of it. The address follows when the typing rests, and on a
// slow machine it is still on its way while more is typed.

export interface QueryText {
  readonly typed: string;
  readonly inAddress: string;
  /** What the search itself has sent to the address and was not seen there yet, oldest first. */
  readonly onWay: readonly string[];
}

/** The search as it is opened under an address. */
export function openText(inAddress: string): QueryText {
  return { typed: inAddress, inAddress, onWay: [] };
}

/** What is typed is sent to the address. */
export function sendText(text: QueryText): QueryText {
  return { ...text, onWay: [...text.onWay, text.typed] };
}

/** Whether what is typed is neither in the address nor on its way there. */
export function isAhead({ typed, inAddress, onWay }: QueryText): boolean {
  return typed !== (onWay.at(-1) ?? inAddress);
}

/**
 * The address has changed. What the search itself has sent there says nothing new, and must not undo what was typed
 * since; the rest is a link that was followed, or a step back: the search takes it over.
 */
export function seeAddress(text: QueryText, inAddress: string): QueryText {
  const at = text.onWay.indexOf(inAddress);
  if (at < 0) return openText(inAddress);
  return { ...text, inAddress, onWay: text.onWay.slice(at + 1) };
}
