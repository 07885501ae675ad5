import type { ApiDescription, Operation } from '@ridewatch/contract/api-description';
import { wordsOf } from './search.ts';
import { meaningsOf } from './terms.ts';

/** A call of the API, as it is listed and found. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  /** Method, path, summary and parameters in lower case. */
  readonly text: string;
  readonly words: readonly string[];
}

/** The calls of a description. */
export function callsOf({ paths }: ApiDescription): Call[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => callOf(method, path, operation)),
  );
}

function callOf(method: string, path: string, operation: Operation): Call {
  const names = operation.parameters.map(({ name }) => name);
  const text = [method, path, operation.summary, ...names].join(' ').toLowerCase();
  return { method: method.toUpperCase(), path, operation, text, words: wordsOf(text) };
}

/** The calls that have all words of a query; a Russian word also stands for the English ones of the description. */
export function findCalls(calls: readonly Call[], query: string): Call[] {
  const wanted = query
    .toLowerCase()
    .split(/\s+/)
    .map((word) => ({ word, meanings: meaningsOf(word) }));
  return calls.filter(({ text, words }) =>
    wanted.every(
      ({ word, meanings }) =>
        text.includes(word) ||
        meanings.some((meaning) => words.some((one) => one.startsWith(meaning))),
    ),
  );
}
