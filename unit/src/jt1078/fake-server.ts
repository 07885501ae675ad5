// The server's side for tests of a registrar: JT/T 808, and FTP whose link breaks when a test wants it.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { JT808 } from '../jt808/bodies.ts';
import { framed, u16, withoutEscapes } from '../jt808/message.ts';
import { JT1078 } from './messages.ts';

/** A message of the terminal. */
export interface TerminalMessage {
  readonly id: number;
  readonly serial: number;
  /** Number of parts, and of this one; undefined: not split. */
  readonly part: readonly [total: number, index: number] | undefined;
  readonly body: Buffer;
}

export interface FakeJt808 {
  readonly port: number;
  /** All messages so far. */
  readonly messages: readonly TerminalMessage[];
  /** Sends a message to the terminal that signed in last. @returns its serial */
  send(id: number, body: Buffer): number;
  /** Cuts the terminal's connection. */
  cut(): void;
  close(): Promise<void>;
}

/** Opens a server that knows every terminal and takes every message. */
export async function openFakeJt808(): Promise<FakeJt808> {
  const messages: TerminalMessage[] = [];
  let serial = 700;
  let terminal: Socket | undefined;
  const say = (socket: Socket, phone: Buffer, id: number, body: Buffer): number => {
    serial += 1;
    socket.write(framed(Buffer.concat([u16(id, body.length), phone, u16(serial), body])));
    return serial;
  };
  let known: Buffer = Buffer.alloc(6);
  const server = createServer((socket) => {
    terminal = socket;
    let left: Buffer = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      left = Buffer.concat([left, bytes]);
      for (let end = left.indexOf(0x7e, 1); end > 0; end = left.indexOf(0x7e, 1)) {
        const frame = withoutEscapes(left.subarray(1, end));
        left = left.subarray(end + 1);
        known = frame.subarray(4, 10);
        const message = read(frame);
        messages.push(message);
        const answered = u16(message.serial);
        if (message.id === JT808.register) {
          say(
            socket,
            known,
            0x8100,
            Buffer.concat([answered, Buffer.from([0]), Buffer.from('key')]),
          );
        } else if (message.id !== JT808.answer && message.id !== JT1078.files) {
          say(socket, known, 0x8001, Buffer.concat([answered, u16(message.id), Buffer.from([0])]));
        }
      }
    });
  });
  const port = await listen(server);
  return {
    ...{ port, messages },
    send: (id, body) => {
      if (terminal === undefined) throw new Error('no terminal');
      return say(terminal, known, id, body);
    },
    cut: () => void terminal?.destroy(),
    close: () => closed(server, () => terminal?.destroy()),
  };
}

function read(frame: Buffer): TerminalMessage {
  const isSplit = (frame.readUInt16BE(2) & 0x2000) !== 0;
  return {
    ...{ id: frame.readUInt16BE(0), serial: frame.readUInt16BE(10) },
    part: isSplit ? [frame.readUInt16BE(12), frame.readUInt16BE(14)] : undefined,
    body: frame.subarray(isSplit ? 16 : 12, -1),
  };
}

export interface FakeFtp {
  readonly port: number;
  /** The bytes of the file that are stored. */
  stored(): Buffer;
  /** The commands so far. */
  readonly commands: readonly string[];
  /** Cuts the connections of the next upload when the file has so many bytes. */
  cutAt(bytes: number): void;
  /** Takes no data of the next uploads until `release`. */
  hold(): void;
  /** Lets uploads go on, and holds none any more. */
  release(): void;
  close(): Promise<void>;
}

/** Opens a server of FTP for the login `bus` with the password `secret`, and one file. */
export async function openFakeFtp(): Promise<FakeFtp> {
  const commands: string[] = [];
  let file: Buffer = Buffer.alloc(0);
  const sockets = new Set<Socket>();
  const held = new Set<Socket>();
  let holds = false;
  let cutAfter: number | undefined;
  const server = createServer((control) => {
    let data: Server | undefined;
    const track = (socket: Socket): void => {
      sockets.add(socket.on('error', () => socket.destroy()));
      socket.on('close', () => sockets.delete(socket));
    };
    track(control);
    const say = (line: string): void => void control.write(`${line}\r\n`);
    const connections: PromiseWithResolvers<Socket>[] = [];
    const store = async (): Promise<void> => {
      const socket = await connections.shift()?.promise;
      say('150 Go on.');
      socket?.on('data', (bytes: Buffer) => {
        const room = cutAfter === undefined ? bytes.length : cutAfter - file.length;
        file = Buffer.concat([file, bytes.subarray(0, room)]);
        if (cutAfter === undefined || file.length < cutAfter) return;
        cutAfter = undefined;
        socket.destroy();
        control.destroy();
      });
      if (holds && socket) held.add(socket.pause());
      socket?.on('end', () => say('226 Stored.'));
    };
    const answer = async (line: string): Promise<void> => {
      const [verb = '', argument = ''] = line.split(' ');
      if (verb === 'USER') return say('331 The password?');
      if (verb === 'PASS') return say(argument === 'secret' ? '230 Hello.' : '530 Wrong.');
      if (verb === 'SIZE') return say(file.length === 0 ? '550 None.' : `213 ${file.length}`);
      if (verb === 'EPSV') {
        const next = Promise.withResolvers<Socket>();
        connections.push(next);
        data = createServer((socket) => {
          data?.close();
          track(socket);
          next.resolve(socket);
        });
        return say(`229 Passive (|||${await listen(data)}|)`);
      }
      if (verb === 'STOR') file = Buffer.alloc(0);
      if (verb === 'STOR' || verb === 'APPE') return store();
      say('200 Done.');
    };
    control.setEncoding('latin1').on('data', (text: string) => {
      for (const line of text.split('\r\n').filter((one) => one !== '')) {
        commands.push(line);
        void answer(line);
      }
    });
    control.on('close', () => data?.close());
    say('220 Ready.');
  });
  const port = await listen(server);
  return {
    ...{ port, commands, stored: () => file },
    cutAt: (bytes) => {
      cutAfter = bytes;
    },
    hold: () => {
      holds = true;
    },
    release: () => {
      holds = false;
      for (const socket of held) socket.resume();
      held.clear();
    },
    close: () =>
      closed(server, () => {
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );
}

function closed(server: Server, cut: () => void): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    cut();
  });
}
