// The numbers that the standard gives to what goes wrong, as a unit gets them over a real socket.
import { type EgtsSubrecord, egtsData } from '@ridewatch/unit/src/egts/packet.ts';
import { identitySubrecord } from '@ridewatch/unit/src/egts/subrecords.ts';
import { expect, it } from 'vitest';
import { at, confirmationOf, createEgtsWorld, people, record } from '../../test/egts.ts';
import { useWorld } from '../../test/use-world.ts';
import { crc8 } from './checksums.ts';

const world = useWorld(createEgtsWorld);

it('each packet and record is told its result by the number of the standard', async () => {
  const { object } = await world.freshBus();
  const link = await world.egts.open();
  const short: EgtsSubrecord = { type: 16, data: Buffer.from([1, 2, 3]) };
  link.send(
    egtsData(1, [
      record(undefined, [at(0)]),
      record(object, [at(0)]),
      record(object, [at(0, { latitude: 10 })]),
      record(object, [at(0)], { service: 4 }),
      record(object, [short]),
      record(object, [people({ 1: [1, 0] })]),
      record(999_999, [at(0)]),
    ]),
  );
  expect(await confirmationOf(link, 1)).toEqual({
    ...{ packet: 0, records: [151, 0, 135, 150, 132, 134, 153] },
  });
  // Byte 0 has the version, 2 prefix, encryption and compression, 9 the kind; the checksum of the header fits each time.
  const withByte = (id: number, place: number, byte: number): Buffer => {
    const packet = egtsData(id, [record(object, [at(1)])]);
    packet[place] = byte;
    packet[10] = crc8(packet.subarray(0, 10));
    return packet;
  };
  const cases = [
    [withByte(2, 0, 2), 128],
    [withByte(3, 2, 0x08), 129],
    [withByte(4, 2, 0x40), 131],
    [withByte(5, 2, 0x04), 132],
  ] as const;
  for (const [n, [packet, code]] of cases.entries()) {
    link.send(packet);
    expect(await confirmationOf(link, n + 2)).toEqual({ packet: code, records: [] });
  }
  const [data, header] = [6, 7].map((id) => egtsData(id, [record(object, [at(1)])]));
  data?.writeUInt8((data[20] ?? 0) ^ 1, 20);
  header?.writeUInt8((header[10] ?? 0) ^ 1, 10);
  link.send(data ?? Buffer.alloc(0));
  expect(await confirmationOf(link, 6)).toEqual({ packet: 138, records: [] });
  link.send(header ?? Buffer.alloc(0));
  expect(await confirmationOf(link, 7)).toEqual({ packet: 137, records: [] });
});

it('a sign-in has the result 0 for a terminal that is known, and 153 for one that is not', async () => {
  const { object } = await world.freshBus();
  for (const [number, result] of [
    [object, 0],
    [888_777, 153],
  ] as const) {
    const link = await world.egts.open();
    const identity = identitySubrecord({ number, isSimple: true });
    link.send(egtsData(1, [record(undefined, [identity], { service: 1 })]));
    expect(await confirmationOf(link, 1)).toEqual({ packet: 0, records: [0] });
    expect(await link.next()).toEqual({ kind: 'sign_in', result });
  }
});
