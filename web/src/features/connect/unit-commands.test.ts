import { expect, it } from 'vitest';
import { passengerCommand, positionCommand, randomStream } from './unit-commands.ts';

const target = { url: 'https://fleet.test', credential: 'rwu_x', stream: randomStream() };

it('a command names the server, the credential and the stream', () => {
  for (const command of [positionCommand(target), passengerCommand(target)]) {
    expect(command).toContain("'https://fleet.test/unit/v1/batches'");
    expect(command).toContain('Bearer rwu_x');
    expect(command).toContain(target.stream);
  }
});

it('a stream is a random UUID', () => {
  const streams = Array.from({ length: 50 }, randomStream);
  expect(new Set(streams).size).toBe(50);
  for (const stream of streams) {
    expect(stream).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  }
});
