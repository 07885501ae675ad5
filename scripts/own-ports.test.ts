import { Environment } from '@ridewatch/server/src/core/environment.ts';
import { expect, it } from 'vitest';
import { ownPorts } from './own-ports.ts';

it('a product that is measured has a port of its own in place of each usual one', async () => {
  const ports = await ownPorts();
  const variables = Object.keys(Environment.shape).filter((name) => /PORTS?$/.test(name));
  expect(Object.keys(ports).sort()).toEqual(variables.sort());
  const usual = Environment.parse({});
  const own = Environment.parse(ports);
  const names = ['PORT', 'EGTS_PORT', 'JT808_PORT', 'JT1078_PORT', 'FTP_PORT'] as const;
  for (const name of names) expect([0, usual[name]]).not.toContain(own[name]);
  expect(new Set(names.map((name) => own[name])).size).toBe(names.length);
});
