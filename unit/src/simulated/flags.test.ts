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
  [[...url, '--bus', '1'], "Unknown option '--bus'"],
])('answers %j with a sentence that names the flag', (args, sentence) => {
  expect(() => readFlags(args, 'secret')).toThrow(FlagError);
  expect(() => readFlags(args, 'secret')).toThrow(sentence);
});

it('does not go on without a password', () => {
  expect(() => readFlags(url)).toThrow('RIDEWATCH_PASSWORD');
});
