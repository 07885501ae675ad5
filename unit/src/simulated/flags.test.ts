import { expect, it } from 'vitest';
import { FlagError, readFlags } from './flags.ts';

const url = ['--url', 'http://localhost:8080/'];

it('takes what is not said from the usual', () => {
  expect(readFlags(url, 'secret')).toMatchObject({
    url: 'http://localhost:8080',
    buses: 12,
    days: 1,
    earlierWeeks: 0,
    speed: 'max',
    login: 'admin',
    password: 'secret',
    seed: 1,
    zone: 'Europe/Moscow',
    demo: false,
  });
});

it('the demo has a week of history, and eleven weeks before it', () => {
  const flags = readFlags([...url, '--demo', '--data', 'data'], 'secret');
  expect(flags).toMatchObject({ demo: true, days: 7, earlierWeeks: 11 });
});

it.each([
  [['--url', 'nowhere'], "--url 'nowhere' is not an http address."],
  [[], '--url is required'],
  [[...url, '--buses', '0'], "--buses '0' is not a whole number from 1"],
  [[...url, '--days', '1.5'], "--days '1.5' is not a whole number"],
  [[...url, '--earlier', '53'], "--earlier '53' is not a whole number from 0 to 52"],
  [[...url, '--speed', '0.5'], "--speed '0.5' is neither max nor a number"],
  [[...url, '--seed', 'x'], "--seed 'x'"],
  [[...url, '--zone', 'Mars'], "--zone 'Mars' is not an IANA zone"],
  [[...url, '--demo'], '--demo needs --data DIR'],
  [[...url, '--egts', 'localhost'], "--egts 'localhost' is not HOST:PORT."],
  [[...url, '--egts', 'localhost:0'], "--egts 'localhost:0' is not HOST:PORT."],
  [[...url, '--egts', 'localhost:70000'], "--egts 'localhost:70000' is not HOST:PORT."],
  [[...url, '--jt808', '20808'], "--jt808 '20808' is not HOST:PORT."],
  [[...url, '--osmand', 'localhost:5055'], "--osmand 'localhost:5055' is not an http address."],
  [[...url, '--bus', '1'], "Unknown option '--bus'"],
])('answers %j with a sentence that names the flag', (args, sentence) => {
  expect(() => readFlags(args, 'secret')).toThrow(FlagError);
  expect(() => readFlags(args, 'secret')).toThrow(sentence);
});

it('a port of another protocol adds a bus of it', () => {
  expect(readFlags(url, 'secret').protocols).toEqual({});
  const ports = ['--egts', 'localhost:20332', '--jt808', '::1:20808'];
  const form = ['--osmand', 'http://localhost:8080/unit/osmand'];
  expect(readFlags([...url, ...ports, ...form], 'secret').protocols).toEqual({
    egts: { host: 'localhost', port: 20_332 },
    jt808: { host: '::1', port: 20_808 },
    osmand: 'http://localhost:8080/unit/osmand',
  });
});

it('does not go on without a password', () => {
  expect(() => readFlags(url)).toThrow('RIDEWATCH_PASSWORD');
});
