// Reads what the server answers a unit of EGTS: confirmations of packets, and the result of its sign-in.

/** A packet of the server. */
export type EgtsAnswer =
  | {
      readonly kind: 'confirmation';
      /** The unit's packet, and what became of it. */
      readonly packet: number;
      readonly result: number;
      /** The unit's records by number, with their results. */
      readonly records: ReadonlyMap<number, number>;
    }
  | { readonly kind: 'sign_in'; readonly result: number };

const HEADER_BYTES = 11;

/**
 * Cuts bytes of a server into answers.
 * @returns takes bytes, and gives the answers that are whole by now
 */
export function createAnswerReader(): (bytes: Buffer) => EgtsAnswer[] {
  let left: Buffer = Buffer.alloc(0);
  return (bytes) => {
    left = Buffer.concat([left, bytes]);
    const answers: EgtsAnswer[] = [];
    while (left.length >= HEADER_BYTES) {
      const dataBytes = left.readUInt16LE(5);
      const end = HEADER_BYTES + dataBytes + (dataBytes === 0 ? 0 : 2);
      if (left.length < end) break;
      answers.push(readAnswer(left[9] ?? 0, left.subarray(HEADER_BYTES, HEADER_BYTES + dataBytes)));
      left = left.subarray(end);
    }
    return answers;
  };
}

function readAnswer(type: number, data: Buffer): EgtsAnswer {
  // The sign-in's result is the last byte of the one subrecord of one record.
  if (type === 1) return { kind: 'sign_in', result: data.at(-1) ?? 0 };
  const records = new Map<number, number>();
  let at = 3;
  while (at + 7 <= data.length) {
    const end = at + 7 + data.readUInt16LE(at);
    for (let sub = at + 7; sub + 6 <= end; sub += 6) {
      records.set(data.readUInt16LE(sub + 3), data[sub + 5] ?? 0);
    }
    at = end;
  }
  return { kind: 'confirmation', packet: data.readUInt16LE(0), result: data[2] ?? 0, records };
}
