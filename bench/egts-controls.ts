// Controls that must fail: a go-between that confirms before the server has stored, or that damages a record and makes its
// checksum right. If the comparison of what is stored did not find them, no row would prove anything.
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { crc16 } from '@ridewatch/server/src/ingest/egts/checksums.ts';
import type { EgtsFleet } from './egts-fleet.ts';
import { A_FRAME, type Work } from './egts-frames.ts';
import { expectStored } from './egts-stored.ts';

/** The third of so many packets of a connection is lost or damaged. */
const FRAMES = 5;
const UNITS = 20;
const FAULTY = 2;
/** Before any round, s. */
const BEFORE_S = 20 * 3600;
const HEADER_BYTES = 11;

type Fault = 'confirms early' | 'damages' | 'none';

/** @throws Error when a control is not found, or a sound go-between is taken for one */
export async function expectControls(fleet: EgtsFleet, kind: Work['kind']): Promise<void> {
  let startS = Math.floor(Date.now() / 1000) - BEFORE_S;
  for (const [fault, wanted] of [
    ['none', undefined],
    ['confirms early', /missing/],
    ['damages', /different/],
  ] as const) {
    const work: Work = { kind, isDisordered: false, startS, frames: FRAMES };
    startS += FRAMES * A_FRAME;
    const found = await faultsBehind(fleet, fault, work);
    const isFound = wanted === undefined ? found === undefined : wanted.test(found ?? '');
    if (!isFound) throw new Error(`A go-between (${fault}) was judged: ${found ?? 'sound'}.`);
  }
}

async function faultsBehind(
  fleet: EgtsFleet,
  fault: Fault,
  work: Work,
): Promise<string | undefined> {
  const units = fleet.units.slice(0, UNITS);
  const between = await startBetween(fleet.port, fault);
  try {
    const { port } = between.address() as AddressInfo;
    const objects = units.map(({ object }) => object);
    await fleet.open({ port, objects, work, window: 1 });
    await fleet.send();
    await expectStored(fleet.client, units, work);
    return undefined;
  } catch (error) {
    return String(error);
  } finally {
    between.close();
  }
}

async function startBetween(target: number, fault: Fault): Promise<Server> {
  const server = createServer((unit) => {
    const product = connect({ port: target, host: '127.0.0.1' });
    let packets = 0;
    // A unit that waits for each answer sends whole packets.
    unit.on('data', (bytes: Buffer) => {
      if (packets === FAULTY && fault === 'confirms early') unit.write(confirmationOf(bytes));
      else product.write(packets === FAULTY && fault === 'damages' ? damaged(bytes) : bytes);
      packets += 1;
    });
    product.on('data', (bytes: Buffer) => void unit.write(bytes));
    unit.on('close', () => product.destroy()).on('error', () => unit.destroy());
    product.on('close', () => unit.destroy()).on('error', () => product.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

// The confirmation names the packet alone, not its records: the sender reads no more of it.
function confirmationOf(bytes: Buffer): Buffer {
  const data = Buffer.from([bytes[7] ?? 0, bytes[8] ?? 0, 0]);
  const packet = Buffer.alloc(HEADER_BYTES + data.length + 2);
  packet.set([1, 0, 0, HEADER_BYTES, 0, data.length]);
  packet.writeUInt16LE(data.length, 5);
  data.copy(packet, HEADER_BYTES);
  return packet;
}

// The last byte but the position's inputs and source, or the people of the last record.
function damaged(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const end = copy.length - 2;
  const isCount = (copy[end - 7 - 3] ?? 0) === 28;
  const at = isCount ? end - 2 : end - 6;
  copy[at] = (copy[at] ?? 0) ^ 1;
  copy.writeUInt16LE(crc16(copy.subarray(HEADER_BYTES, end)), end);
  return copy;
}
