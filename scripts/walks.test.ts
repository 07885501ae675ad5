import { describe, expect, it } from 'vitest';
import { findWrongWalks, followWalk } from './walks.ts';

const imports = new Map([
  ['form', ['save', 'words']],
  ['save', ['call']],
  ['api', ['call', 'store']],
  ['store', ['table']],
  ['words', []],
]);

describe('a walk through the code', () => {
  it('follows imports down, and up to the file that answers a call', () => {
    const walk = ['form', 'save', 'call', 'api', 'store', 'table'];
    expect(followWalk(walk, imports)).toEqual({ between: [], borders: [] });
  });

  it('passes the files between two that it names', () => {
    const { between } = followWalk(['form', 'call', 'table'], imports);
    expect(between).toEqual(['save']);
  });

  it('crosses a border where no import leads', () => {
    expect(followWalk(['form', 'table'], imports).borders).toEqual(['table']);
  });

  it('that miscounts its files, or leaves one out, is reported', () => {
    const walk = { name: 'A count', said: 2, files: ['form'], between: ['save'], borders: [] };
    expect(findWrongWalks([walk])).toEqual([
      "'A count' names 1 files and says 2.",
      "'A count' passes save and does not name it.",
    ]);
  });
});
