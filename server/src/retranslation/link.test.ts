// Upstreams tell the results of records with the answer to a packet, after it, or not at all.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SERVICE } from '../ingest/egts/codes.ts';
import { type FakeUpstream, openFakeUpstream } from '../test/egts-upstream.ts';
import { LinkClosed, openUpstreamLink, type ResultManner, type UpstreamLink } from './link.ts';
import { countsSubrecords } from './subrecords.ts';

/** No test waits for so long. */
const NEVER_MS = 600_000;
/** A wait in vain. The answer to a packet may take three of them. */
const SHORT_MS = 200;
const SECONDS = Date.UTC(2026, 10, 20) / 1000;
const RECORD = {
  ...{ service: SERVICE.teledata, object: 1, seconds: SECONDS },
  subrecords: countsSubrecords([[SECONDS, 1, 1, 0]], 0),
};

let far: FakeUpstream;
let manner: ResultManner;
const links: UpstreamLink[] = [];
beforeEach(async () => {
  far = await openFakeUpstream();
  manner = { comeApart: undefined, cuts: 0 };
});
afterEach(async () => {
  for (const link of links.splice(0)) link.close();
  await far.close();
});

function open(answerMs = NEVER_MS): UpstreamLink {
  const link = openUpstreamLink(
    { host: '127.0.0.1', port: far.port },
    { connectMs: 5000, answerMs },
    manner,
  );
  links.push(link);
  return link;
}

describe('results of records that come after the answer to their packet', () => {
  it('are those of the packet', async () => {
    far.reply = () => ({ results: 'apart', codeOf: () => 153 });
    expect(await open().send([RECORD, RECORD])).toEqual({ result: 0, records: [153, 153] });
    expect(manner.comeApart).toBe(true);
  });

  it('are waited for again once one came too late', async () => {
    far.reply = () => ({ results: 'held', codeOf: () => 154 });
    const link = open(SHORT_MS);
    expect((await link.send([RECORD])).records).toEqual([0]);
    expect(manner.comeApart).toBe(false);
    for (const tell of far.held.splice(0)) tell();
    await vi.waitUntil(() => manner.comeApart === true, { timeout: 20_000, interval: 5 });
  });
});

describe('an upstream that tells no results of records', () => {
  it('is waited for once, and confirms packets by its answers to them', async () => {
    far.reply = () => ({ results: 'held' });
    expect((await open(SHORT_MS).send([RECORD])).records).toEqual([0]);
    // A packet that waited would never end.
    const link = open();
    for (let n = 0; n < 5; n += 1) expect((await link.send([RECORD])).records).toEqual([0]);
  });

  it('and closes the connection meanwhile is not waited for after the second time', async () => {
    far.reply = () => ({ results: 'cut' });
    for (const _ of [1, 2]) {
      const link = open();
      await expect(link.send([RECORD])).rejects.toThrow(LinkClosed);
      expect(await link.closed).toEqual({ fault: 'closed' });
    }
    expect((await open().send([RECORD])).records).toEqual([0]);
  });
});
