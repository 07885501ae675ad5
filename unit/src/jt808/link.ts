// A connection of a terminal, or of a platform that passes on many of them, to a server of JT/T 808.
import { type AnsweringLink, openAnsweringLink } from '../answering-link.ts';
import { createAnswerReader, type Jt808Answer } from './answer.ts';

export type Jt808Link = AnsweringLink<Jt808Answer>;

/** Connects to a server. @throws Error when there is none */
export function openJt808Link(port: number, host: string): Promise<Jt808Link> {
  return openAnsweringLink(port, host, createAnswerReader());
}
