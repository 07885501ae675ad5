// Commands that a person pastes into a shell to play the part of a unit. They follow docs/unit-interface.md.

/** The place of the example: the middle of Moscow. */
const EXAMPLE = { latitude: 55.7558, longitude: 37.6173 };

interface Target {
  /** Address of the server, without a slash at its end. */
  readonly url: string;
  readonly credential: string;
  /** A random UUID; the commands of one press share it. */
  readonly stream: string;
}

/** A command for POSIX shells that sends a position of now. */
export function positionCommand(target: Target): string {
  const { latitude, longitude } = EXAMPLE;
  const record = `"type":"position","latitude":${latitude},"longitude":${longitude},"speed_kmh":0`;
  return batchCommand(target, record, 0);
}

/** A command for POSIX shells that sends an adult who enters at door 1 now. */
export function passengerCommand(target: Target): string {
  const record = '"type":"passenger","door":1,"direction":"entered","passenger":"adult"';
  return batchCommand(target, record, 1);
}

// The number of a record is the time in half seconds: each press of Enter sends another record, and the two kinds never
// share a number.
function batchCommand({ url, credential, stream }: Target, record: string, kind: 0 | 1): string {
  return [
    `NOW=$(date -u +%Y-%m-%dT%H:%M:%SZ); SEQ=$(( $(date +%s) * 2 + ${kind} ))`,
    `curl -sS -X POST '${url}/unit/v1/batches' \\`,
    `  -H 'Authorization: Bearer ${credential}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"stream":"${stream}","sent_at":"'$NOW'","records":[{"seq":'$SEQ',"time":"'$NOW'",${record}}]}'`,
  ].join('\n');
}

/** A random UUID, also on pages without TLS, where browsers have no `crypto.randomUUID`. */
export function randomStream(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // Version 4, variant 1 (RFC 9562).
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  return [
    [0, 4],
    [4, 6],
    [6, 8],
    [8, 10],
    [10, 16],
  ]
    .map(([from, to]) => hex.slice(from, to).join(''))
    .join('-');
}
