import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive; `packed` and `crc` override the values of its bytes. */
export interface TestZipFile {
  readonly name: string;
  readonly bytes: Uint8Array | string;
  readonly method?: number;
  readonly flags?: number;
  readonly packed?: Uint8Array;
  readonly crc?: number;
  /** A false unpacked size, bytes. */
  readonly claims?: number;
}

/** Makes a zip archive in memory. */
export function zipOf(files: readonly TestZipFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, bytes, method = 8, flags = 0, packed, crc, claims } of files) {
    const plain = typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes);
    const body = Buffer.from(packed ?? (method === 0 ? plain : deflateRawSync(plain)));
    const path = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc ?? crc32(plain), 10);
    common.writeUInt32LE(body.length, 14);
    common.writeUInt32LE(claims ?? plain.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, path, body]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), common, rest, path]));
    parts.push(local);
    at += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, central, end]);
}

/** The tables of a small GTFS feed: line 7 in both directions, and a short turn. */
export function feedTables(): Record<string, string> {
  const stops = [
    ['A', 'Вокзал', 37.6],
    ['B', '"Школа, 3"', 37.62],
    ['C', 'Рынок', 37.64],
  ] as const;
  const trips = [
    ['t1', 0, 'ABC'],
    ['t2', 0, 'ABC'],
    ['t3', 0, 'AB'],
    ['t4', 1, 'CBA'],
  ] as const;
  return {
    routes: 'route_id,route_short_name,route_long_name,route_type\nR7,7,Вокзал - Рынок,3\n',
    stops: `stop_id,stop_name,stop_lat,stop_lon\n${stops
      .map(([id, name, longitude]) => `${id},${name},55.75,${longitude}`)
      .join('\n')}\n`,
    trips: `route_id,service_id,trip_id,direction_id,shape_id\n${trips
      .map(([id, direction]) => `R7,S,${id},${direction},S${direction}`)
      .join('\n')}\n`,
    // Unordered rows.
    stop_times: `trip_id,arrival_time,departure_time,stop_id,stop_sequence\n${trips
      .flatMap(([id, , way]) =>
        [...way].map((stop, n) => `${id},24:0${n}:00,24:0${n}:00,${stop},${n * 5}`),
      )
      .sort((a, b) => (a.slice(-2) < b.slice(-2) ? 1 : -1))
      .join('\n')}\n`,
    shapes: `shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nS0,55.75,37.64,3\nS0,55.75,37.6,1\nS0,55.751,37.62,2\nS1,55.75,37.64,1\nS1,55.75,37.6,2\n`,
  };
}

/** Makes a GTFS feed in an archive. */
export function feedZip(tables: Readonly<Record<string, string>>, folder = ''): Buffer {
  return zipOf(
    Object.entries(tables).map(([table, text]) => ({ name: `${folder}${table}.txt`, bytes: text })),
  );
}
