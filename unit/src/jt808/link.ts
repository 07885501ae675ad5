// A connection of a terminal, or of a platform that passes on many of them, to a server of JT/T 808.
import { type AnsweringLink, openAnsweringLink } from '../answering-link.ts';
import { createAnswerReader, type Jt808Answer } from './answer.ts';

export type Jt808Link = AnsweringLink<Jt808Answer>;

/** A message of the server, which the terminal answers. */
export type Jt808Command = Jt808Answer & { readonly kind: 'message' };

/**
 * Connects to a server.
 * @param onMessage takes the server's messages as they come; without it they are among the answers
 * @throws Error when there is none
 */
export function openJt808Link(
  port: number,
  host: string,
  onMessage?: (message: Jt808Command) => void,
): Promise<Jt808Link> {
  const read = createAnswerReader();
  if (onMessage === undefined) return openAnsweringLink(port, host, read);
  return openAnsweringLink(port, host, (bytes) =>
    read(bytes).filter((one) => {
      if (one.kind !== 'message') return true;
      onMessage(one);
      return false;
    }),
  );
}
