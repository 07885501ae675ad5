// FTP for the run of its parser: lines of a registrar's control connection, and the server's reader of lines and its answers.
import { answerOf } from '@ridewatch/server/src/ftp/commands.ts';
import { createLineReader } from '@ridewatch/server/src/ftp/control-lines.ts';
import type { Chance } from '@ridewatch/unit/src/simulated/random.ts';
import { pick, whole } from '../values.ts';
import type { ParserLink, SoundFrame, StreamParser } from './parser.ts';

/** Longest line without its end. */
const MOST_LINE_BYTES = 512;
/** A line with its end; a Telnet command within it may hold any byte, and is no end (RFC 854). */
const LINE = /(?:\xff(?:[\xfb-\xfe][\s\S]|[^\xfb-\xfe])|[^\n\xff])*\n/y;
const TELNET = /\xff(?:[\xfb-\xfe][\s\S]|[^\xfb-\xfe])/g;
/** Commands of Telnet before ABOR: interrupt, and the mark of urgent bytes. */
const INTERRUPT = '\xff\xf4\xff\xf2';
const COMMANDS =
  `NOOP SYST FEAT PWD PASV EPSV CDUP STAT ABOR QUIT TYPE_I TYPE_A MODE_S STRU_F OPTS_UTF8_ON REST_0 REST_1048576
  ALLO_1000 LIST_. RETR_a.mp4 PORT_127,0,0,1,4,1 EPRT_|1|127.0.0.1|1025| DELE_a.mp4 SITE_CHMOD`.split(
    /\s+/,
  );
const VERBS = ['USER', 'PASS', 'CWD', 'MKD', 'STOR', 'APPE', 'SIZE', 'RNFR', 'RNTO', 'MDTM'];

/** FTP. */
export const ftpParser: StreamParser = {
  ...{ protocol: 'ftp', makeFrame, changeLength, repair, findSound, sharedBytes: 0 },
  port: 'FTP_PORT',
  mayBeLost: hasLongLine,
  endless: [Buffer.from('N'), Buffer.from('\r'), Buffer.from([0xff, 0xf1, 0x20])],
  // A line, and the bytes that a socket gives at once.
  ...{ mostKeptBytes: MOST_LINE_BYTES + 65_536, mostDamagedBytes: MOST_LINE_BYTES },
  open: openLink,
};

function makeFrame(chance: Chance): Buffer {
  const end = chance.happens(0.8) ? '\r\n' : '\n';
  const text = chance.happens(0.4)
    ? pick(chance, COMMANDS).replaceAll('_', ' ')
    : `${pick(chance, VERBS)} ${makeName(chance)}`;
  const typed = chance.happens(0.1) ? text.toLowerCase() : text;
  const before = chance.happens(0.05) ? INTERRUPT : '';
  return Buffer.from(`${before}${typed}${end}`, 'latin1');
}

// Names come in any coding, and with any sign but the end of a line.
function makeName(chance: Chance): string {
  if (chance.happens(0.5)) return `/video/${whole(chance, 1, 8)}/20261130-${whole(chance, 0, 9e5)}`;
  const bytes = Array.from({ length: whole(chance, 0, 60) }, () => whole(chance, 0x20, 0xfe));
  return Buffer.from(bytes).toString('latin1');
}

// No field says a length: the line becomes nearly as long as one may be, or a little longer.
function changeLength(chance: Chance, frame: Buffer): Buffer {
  const most = chance.happens(0.95) ? MOST_LINE_BYTES : MOST_LINE_BYTES + 8;
  const missing = whole(chance, MOST_LINE_BYTES - 8, most) - frame.length;
  if (missing <= 0) return frame;
  const end = Math.max(0, frame.lastIndexOf('\n'));
  return Buffer.concat([frame.subarray(0, end), Buffer.alloc(missing, 'x'), frame.subarray(end)]);
}

// The line gets its end.
function repair(frame: Buffer): Buffer {
  const text = frame.toString('latin1').replace(/\r?\n$/, '');
  return Buffer.from(`${text}\r\n`, 'latin1');
}

interface Line {
  readonly start: number;
  readonly end: number;
  /** Without Telnet commands and the line feed. */
  readonly text: string;
}

/** The lines of a stream, and what comes after the last one. */
function linesOf(stream: Buffer): { readonly lines: readonly Line[]; readonly rest: string } {
  const all = stream.toString('latin1');
  const lines: Line[] = [];
  let start = 0;
  for (;;) {
    LINE.lastIndex = start;
    const [line] = LINE.exec(all) ?? [];
    if (line === undefined) return { lines, rest: all.slice(start).replaceAll(TELNET, '') };
    const end = start + line.length;
    lines.push({ start, end, text: line.slice(0, -1).replaceAll(TELNET, '') });
    start = end;
  }
}

function hasLongLine(stream: Buffer): boolean {
  const { lines, rest } = linesOf(stream);
  return [...lines.map(({ text }) => text), rest].some(({ length }) => length > MOST_LINE_BYTES);
}

function findSound(stream: Buffer): SoundFrame[] {
  return linesOf(stream).lines.map(({ start, end, text }) => {
    const [, verb = '', argument = ''] = /^([^ ]*) ?([\s\S]*)$/.exec(text.replace(/\r$/, '')) ?? [];
    return { start, end, key: keyOf(verb.toUpperCase(), argument) };
  });
}

const keyOf = (verb: string, argument: string): string => `${verb}\n${argument}`;

function openLink(): ParserLink {
  const reader = createLineReader();
  let isOver = false;
  return {
    push: (bytes) =>
      reader.push(bytes).flatMap((line) => {
        if (line === 'too long') {
          isOver = true;
          return [];
        }
        const { verb, argument } = line;
        checkAnswer(answerOf(verb, argument));
        return [keyOf(verb, argument)];
      }),
    giveUp: () => undefined,
    isLost: () => isOver,
    close: () => undefined,
  };
}

// An answer is one line, or several of which the last one ends it; a name must not add one.
function checkAnswer(answer: string): void {
  const lines = answer.split('\n');
  const [code, last = ''] = [answer.slice(0, 3), lines.at(-1)];
  const isWhole = /^[1-5]\d\d$/.test(code) && last.startsWith(`${code} `);
  const isOne = lines.length === 1 || answer.startsWith('211-Features');
  if (!isWhole || !isOne) throw new Error(`an answer that is none: ${answer}`);
}
