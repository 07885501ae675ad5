// Plays captured messages of JT/T 808 over a real socket, as a platform passes them on: each terminal registers and signs
// in anew, because the code of the capture is that of another server; then its messages go out as they are.
import { JT808 } from '../jt808/bodies.ts';
import { type Jt808Link, openJt808Link } from '../jt808/link.ts';
import { type Jt808Form, withoutEscapes } from '../jt808/message.ts';
import { createJt808Terminal, type Jt808Terminal } from '../jt808/terminal.ts';
import { type PacketForm, readPackets } from './capture-files.ts';
import { ATTEMPTS, type CaptureRun, createAdoptionWait, createTally } from './capture-run.ts';
import { RecordingError } from './columns.ts';
import { counted } from './counted.ts';

const BORDER = 0x7e;
/** Borders, a header and a checksum. */
const LEAST_BYTES = 15;
const ANSWER_MS = 10_000;
const AGAIN_MS = 5_000;
const SPLIT = 0x2000;
const NEW_FORM = 0x4000;
/** Ids of messages of servers begin here; those of makers have other first digits. */
const SERVER_IDS = [0x8000, 0x9fff] as const;
/** Ids of messages that hold no record: the server says to anybody's that they are right. */
const NO_RECORD: readonly number[] = [JT808.heartbeat, JT808.signOff];
/** Ids of messages that the replay says itself, and of those that answer another server. */
const LEFT_OUT: readonly number[] = [JT808.register, JT808.signIn, JT808.answer];

const FORM: PacketForm = { firstByte: BORDER, leastBytes: LEAST_BYTES, cut };

interface Frame {
  readonly bytes: Buffer;
  readonly id: number;
  readonly serial: number;
  readonly form: Jt808Form;
  /** Its terminal as it stands there. */
  readonly phone: string;
  /** More parts of the message follow. */
  readonly hasMore: boolean;
}

/**
 * Sends the messages of captures one after the other, each until it is answered; all parts of a split one together.
 * @throws RecordingError for a file that cannot be read; Error when the server is not there or does not answer
 */
export async function replayJt808(
  { host, port }: { readonly host: string; readonly port: number },
  run: CaptureRun,
): Promise<void> {
  const { timers, signal, say, onFailure, answerMs = ANSWER_MS, againMs = AGAIN_MS } = run;
  const files = await Promise.all(run.captures.map((file) => framesOf(file)));
  const messages = inMessages(files.flat());
  say(counted(messages.length, 'message'));
  const results = createTally(run);
  const isAdopted = createAdoptionWait(run);
  const unknown = new Set<string>();
  let link: Jt808Link | undefined;
  let terminals = new Map<string, Jt808Terminal>();

  async function terminalOf({ phone, form }: Frame, to: Jt808Link): Promise<Jt808Terminal> {
    const known = terminals.get(phone);
    if (known !== undefined) return known;
    const terminal = createJt808Terminal(to, { phone, form });
    let code = await terminal.register(answerMs);
    if (code === '' && (await isAdopted())) code = await terminal.register(answerMs);
    // Its messages are sent nevertheless: the server lists it among the unknown ones.
    if (code === '') unknown.add(phone);
    else await terminal.signIn(code, answerMs);
    terminals.set(phone, terminal);
    return terminal;
  }

  async function deliver(frames: readonly Frame[]): Promise<boolean> {
    link ??= await openJt808Link(port, host);
    const [first] = frames;
    if (first === undefined) return true;
    const terminal = await terminalOf(first, link);
    for (const { bytes } of frames) link.send(bytes);
    const answers: (number | undefined)[] = [];
    for (const { serial } of frames) answers.push(await terminal.resultOf(serial, answerMs));
    if (answers.includes(undefined)) return false;
    const result = answers.at(-1) ?? 0;
    results.add(result, NO_RECORD.includes(first.id) ? undefined : result !== 0);
    // The sign-in that followed in the capture is left out.
    if (first.id === JT808.signOff) terminals.delete(first.phone);
    return true;
  }

  try {
    for (const frames of messages) {
      for (let sent = 1; !signal.aborted; sent += 1) {
        let cause: unknown;
        const isAnswered = await deliver(frames).catch((error: unknown) => {
          cause = error;
          return false;
        });
        if (isAnswered) break;
        if (sent >= ATTEMPTS) {
          throw new Error(`The server does not answer message ${frames[0]?.serial}.`, { cause });
        }
        link?.close();
        link = undefined;
        terminals = new Map();
        onFailure(cause ?? new Error(`no answer to message ${frames[0]?.serial}`), againMs);
        await timers.sleep(againMs, signal);
      }
    }
  } finally {
    link?.close();
    results.say('message', 'with the result');
  }
  for (const phone of unknown)
    say(`the server knows no terminal ${phone.replace(/^0+/, '') || phone}`);
  results.check();
}

async function framesOf(file: string): Promise<Frame[]> {
  const packets = await readPackets(file, FORM);
  const frames = packets.map((bytes, n) => {
    const frame = readFrame(bytes);
    if (frame !== undefined) return frame;
    throw new RecordingError(`${file}: packet ${n + 1} is no message of JT/T 808.`);
  });
  const [first, last] = SERVER_IDS;
  return frames.filter(({ id }) => (id < first || id > last) && !LEFT_OUT.includes(id));
}

// The parts of a split message, which follow each other, are one.
function inMessages(frames: readonly Frame[]): Frame[][] {
  const messages: Frame[][] = [];
  let isOpen = false;
  for (const frame of frames) {
    const last = messages.at(-1);
    const isPart = isOpen && last?.[0]?.phone === frame.phone && last[0].id === frame.id;
    if (isPart) last.push(frame);
    else messages.push([frame]);
    isOpen = frame.hasMore;
  }
  return messages;
}

function cut(bytes: Buffer, file: string): Buffer[] {
  const frames: Buffer[] = [];
  // Two frames may share a border.
  for (let at = 0; at < bytes.length - 1; ) {
    const end = bytes.indexOf(BORDER, at + 1);
    if (end < 0) {
      throw new RecordingError(`${file}: byte ${at} begins no whole message of JT/T 808.`);
    }
    if (end > at + 1) frames.push(bytes.subarray(at, end + 1));
    at = end;
  }
  return frames;
}

function readFrame(bytes: Buffer): Frame | undefined {
  const content = withoutEscapes(bytes.subarray(1, -1));
  if (content.length < LEAST_BYTES - 2) return undefined;
  const attributes = content.readUInt16BE(2);
  const isNew = (attributes & NEW_FORM) !== 0;
  const [phoneAt, serialAt] = isNew ? [5, 15] : [4, 10];
  const isSplit = (attributes & SPLIT) !== 0;
  if (content.length < serialAt + (isSplit ? 7 : 3)) return undefined;
  return {
    ...{ bytes, id: content.readUInt16BE(0), serial: content.readUInt16BE(serialAt) },
    ...{ form: isNew ? '2019' : '2013', phone: content.toString('hex', phoneAt, serialAt) },
    hasMore: isSplit && content.readUInt16BE(serialAt + 2) !== content.readUInt16BE(serialAt + 4),
  };
}
