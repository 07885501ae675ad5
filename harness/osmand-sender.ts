// The OsmAnd form as phones and counters send it, over HTTP: one request after the other, in one connection.
import { type AnsweringLink, openAnsweringLink } from '@ridewatch/unit/src/answering-link.ts';
import { type OsmandRecord, osmandJson, osmandQuery } from '@ridewatch/unit/src/osmand/request.ts';
import { type EarlyMessage, startEarlyListener } from './early-listener.ts';
import type { Confirmation, Sender, SenderLink } from './sender.ts';
import type { Told } from './told.ts';

const HOST = '127.0.0.1';
const ANSWER_MS = 10_000;
const HEAD_END = '\r\n\r\n';

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** The OsmAnd form, one unit or many of them in a list. */
export const osmandSender: Sender = {
  ...{ protocol: 'osmand', variable: 'OSMAND_PORT', mostWaiting: 1, mostObjects: 1000, doors: 2 },
  counts: ['delta'],
  settingsOf: () => ({ osmand_speed: 'knots' }),
  open: async (port) => linkOf(await openAnsweringLink(port, HOST, readAnswers())),
  startEarly: (port) =>
    startEarlyListener({ read: readEarly, bring: (message) => bring(port, message) }),
};

// A sender waits for each answer before it sends on.
function linkOf(link: AnsweringLink<Answer>): SenderLink {
  /** Requests in order, each with its message and whether it is the last of it. The first one waits for its answer. */
  const requests: { readonly id: number; readonly bytes: Buffer; readonly isLast: boolean }[] = [];
  const sendFirst = (): void => {
    const [first] = requests;
    if (first !== undefined) link.send(first.bytes);
  };
  return {
    send: ({ id, told }) => {
      const isIdle = requests.length === 0;
      const own = requestsOf(id, told);
      requests.push(...own.map((bytes, n) => ({ id, bytes, isLast: n === own.length - 1 })));
      if (isIdle) sendFirst();
    },
    cut: ({ id, told }, share) => {
      const [bytes = Buffer.alloc(0)] = requestsOf(id, told);
      link.send(bytes.subarray(0, Math.floor(bytes.length * share)));
      link.close();
    },
    confirm: async (ms) => {
      for (;;) {
        const answer = await link.nextWithin(ms);
        if (answer === undefined) return undefined;
        const asked = requests.shift();
        if (asked === undefined) return undefined;
        sendFirst();
        const confirmation = confirmationOf(asked.id, answer);
        if (asked.isLast || confirmation.refusal !== undefined) return confirmation;
      }
    },
    close: () => link.close(),
  };
}

function confirmationOf(id: number, { status, body }: Answer): Confirmation {
  if (status >= 500 || status === 408) throw new Error(`not stored: ${status}`);
  return status === 200 && body === '' ? { id } : { id, refusal: `refused: ${status} ${body}` };
}

// One message in two of the forms: fields in the address, a request for each of them; or a list in JSON.
function requestsOf(id: number, told: readonly Told[]): Buffer[] {
  const own = told.map((one) => ({ object: String(one.object), records: recordsOf(one) }));
  if (id % 2 === 0) {
    return own.flatMap(({ object, records }) =>
      records.map((one) => requestOf(`GET /?${osmandQuery(object, one)}`, '')),
    );
  }
  const list = own.map(({ object, records }) => osmandJson(object, records));
  return [requestOf('POST /', JSON.stringify(list))];
}

function recordsOf({ doors, object: _, ...position }: Told): OsmandRecord[] {
  const people = Object.entries(doors).flatMap(([door, [entered, exited]]) =>
    entered + exited === 0
      ? []
      : [{ timeMs: position.timeMs, door: Number(door), entered, exited }],
  );
  return [position, ...people];
}

function requestOf(line: string, body: string): Buffer {
  const head = [`${line} HTTP/1.1`, `Host: ${HOST}`, `Content-Length: ${Buffer.byteLength(body)}`];
  return Buffer.from(`${head.join('\r\n')}${HEAD_END}${body}`);
}

/** Cuts requests or answers: takes bytes, gives head and body of those that are whole by now. */
function createHttpReader(): (bytes: Buffer) => { head: string; body: string; bytes: Buffer }[] {
  let left: Buffer = Buffer.alloc(0);
  return (more) => {
    left = Buffer.concat([left, more]);
    const whole: { head: string; body: string; bytes: Buffer }[] = [];
    for (;;) {
      const bodyAt = left.indexOf(HEAD_END) + HEAD_END.length;
      if (bodyAt < HEAD_END.length) return whole;
      const head = left.toString('latin1', 0, bodyAt);
      const end = bodyAt + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      if (left.length < end) return whole;
      whole.push({ head, body: left.toString('utf8', bodyAt, end), bytes: left.subarray(0, end) });
      left = left.subarray(end);
    }
  };
}

function readAnswers(): (bytes: Buffer) => Answer[] {
  const read = createHttpReader();
  return (bytes) =>
    read(bytes).map(({ head, body }) => {
      return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), body };
    });
}

function readEarly(): (bytes: Buffer) => EarlyMessage[] {
  const read = createHttpReader();
  const answer = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: 0${HEAD_END}`);
  return (bytes) => read(bytes).map((request) => ({ bytes: request.bytes, answer }));
}

async function bring(port: number, request: Buffer): Promise<void> {
  const link = await openAnsweringLink(port, HOST, readAnswers());
  try {
    link.send(request);
    const answer = await link.nextWithin(ANSWER_MS);
    if (answer?.status !== 200) throw new Error('not stored');
  } finally {
    link.close();
  }
}
