// Takes messages of a connection that are stored together.

/** The messages of a connection. */
export interface MessageSource<Message> {
  /** The next one; undefined until more bytes arrive. */
  readonly next: () => Message | undefined;
  readonly bytesOf: (message: Message) => number;
  /** Most messages that are stored together, and bytes of them. A message with more bytes is stored alone. */
  readonly most: { readonly messages: number; readonly bytes: number };
}

/**
 * Makes what takes them.
 * @returns takes the next ones; one that does not fit begins those after them
 */
export function createSomeMessages<Message>({
  next,
  bytesOf,
  most,
}: MessageSource<Message>): () => Message[] {
  let held: Message | undefined;
  return () => {
    const some: Message[] = [];
    let bytes = 0;
    while (some.length < most.messages) {
      const message = held ?? next();
      held = undefined;
      if (message === undefined) break;
      bytes += bytesOf(message);
      if (some.length > 0 && bytes > most.bytes) {
        held = message;
        break;
      }
      some.push(message);
    }
    return some;
  };
}
