// A connection of a unit, or of a platform that passes on many of them, to a server of EGTS.
import { type AnsweringLink, openAnsweringLink } from '../answering-link.ts';
import { createAnswerReader, type EgtsAnswer } from './answer.ts';

export type EgtsLink = AnsweringLink<EgtsAnswer>;

/** Connects to a server. @throws Error when there is none */
export function openEgtsLink(port: number, host: string): Promise<EgtsLink> {
  return openAnsweringLink(port, host, createAnswerReader());
}
