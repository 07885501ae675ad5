import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zipOf } from '../../test/zip.ts';
import { listEntries, readEntry } from './zip.ts';

async function contentsOf(bytes: Uint8Array, bytesLeft = 1e9): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  const budget = { bytesLeft };
  for (const entry of await listEntries(bytes)) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of readEntry(entry, budget)) chunks.push(chunk);
    contents[entry.name] = Buffer.concat(chunks).toString();
  }
  return contents;
}

describe('a zip archive', () => {
  it('gives its files, packed and stored, without its folders', async () => {
    const zip = zipOf([
      { name: 'feed/', bytes: '', method: 0 },
      { name: 'feed/stops.txt', bytes: 'Рынок'.repeat(1000) },
      { name: 'b', bytes: 'stored', method: 0 },
    ]);
    expect(await contentsOf(zip)).toEqual({
      'feed/stops.txt': 'Рынок'.repeat(1000),
      b: 'stored',
    });
  });

  it('that says itself that it unpacks to more than is allowed is not unpacked', async () => {
    const honest = zipOf([{ name: 'stops.txt', bytes: 'stop_id', claims: 2_000_000_000 }]);
    await expect(contentsOf(honest)).rejects.toThrow('exceeds the size limit');
  });

  it('is stopped where it unpacks to more than it said', async () => {
    const bomb = zipOf([{ name: 'stops.txt', bytes: Buffer.alloc(50_000_000), claims: 10 }]);
    expect(bomb.length).toBeLessThan(100_000);
    const budget = { bytesLeft: 1e9 };
    const [entry] = await listEntries(bomb);
    const read = async () => {
      if (entry !== undefined) for await (const chunk of readEntry(entry, budget)) void chunk;
    };
    await expect(read()).rejects.toThrow(/damaged/);
    // The reading stopped before the budget was used up.
    expect(budget.bytesLeft).toBeGreaterThan(1e9 - 1e6);
  });

  it.each([
    ['needs a password', { flags: 1 }],
    ['uses a compression method that is not supported', { method: 12 }],
    ['is damaged', { crc: 1 }],
    ['is damaged', { packed: Buffer.from('nothing of the kind') }],
  ])('is refused when a file %s', async (reason, odd) => {
    const zip = zipOf([{ name: '../../secret/stops.txt', bytes: 'stops', ...odd }]);
    const reading = contentsOf(zip);
    await expect(reading).rejects.toMatchObject({ name: 'FileRefusal' });
    await expect(reading).rejects.toThrow(reason);
    await expect(reading).rejects.not.toThrow('secret');
  });

  it('that was cut off or changed is read or refused, nothing else', async () => {
    const zip = zipOf([
      { name: 'stops.txt', bytes: 'stop_id\n1\n2\n' },
      { name: 'trips.txt', bytes: 'trip_id\n1\n' },
    ]);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(zip.length - 1),
        fc.nat(255),
        fc.boolean(),
        async (at, byte, isCut) => {
          const odd = Buffer.from(isCut ? zip.subarray(0, at) : zip);
          if (!isCut) odd[at] = byte;
          await contentsOf(odd, 1_000_000).catch((error: unknown) =>
            expect(error).toMatchObject({ name: 'FileRefusal' }),
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});
