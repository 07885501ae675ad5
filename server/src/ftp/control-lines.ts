// Lines of an FTP control connection (RFC 959). Registrars end them with CR LF or with LF alone, and put Telnet commands
// before ABOR.

/** Longest line without its end, bytes. */
export const LONGEST_LINE = 512;

const [LF, CR, SPACE, TELNET, TELNET_WILL] = [0x0a, 0x0d, 0x20, 0xff, 0xfb];

/** A command, as it came. */
export interface ControlLine {
  /** In capitals; empty: an empty line. */
  readonly verb: string;
  /** Everything behind the first space; each byte is a character. Names of files are not looked at. */
  readonly argument: string;
}

/** Reads the bytes of a connection in their order. */
export interface LineReader {
  /** @returns the lines that have ended; `too long` instead of a line that has not, after which nothing can be read */
  push(bytes: Buffer): (ControlLine | 'too long')[];
}

/** Makes the reader of a connection. */
export function createLineReader(): LineReader {
  let line: number[] = [];
  /** The byte of a Telnet command that comes next, and is left out. */
  let telnet: 'command' | 'option' | undefined;
  let isOver = false;
  return {
    push: (bytes) => {
      const lines: (ControlLine | 'too long')[] = [];
      for (const byte of bytes) {
        if (isOver) break;
        if (telnet !== undefined) {
          // WILL, WON'T, DO and DON'T have an option behind them, which may have any number. A doubled 255, a byte of a
          // name, is left out, too.
          const hasOption = telnet === 'command' && byte >= TELNET_WILL && byte < TELNET;
          telnet = hasOption ? 'option' : undefined;
        } else if (byte === TELNET) {
          telnet = 'command';
        } else if (byte === LF) {
          lines.push(lineOf(line));
          line = [];
        } else if (line.length >= LONGEST_LINE) {
          isOver = true;
          lines.push('too long');
        } else {
          line.push(byte);
        }
      }
      return lines;
    },
  };
}

function lineOf(bytes: readonly number[]): ControlLine {
  const text = Buffer.from(bytes.at(-1) === CR ? bytes.slice(0, -1) : bytes).toString('latin1');
  const space = text.indexOf(String.fromCharCode(SPACE));
  const verb = space < 0 ? text : text.slice(0, space);
  return { verb: verb.toUpperCase(), argument: space < 0 ? '' : text.slice(space + 1) };
}
