// The form of a unit's id in its protocol.
import { expect, it } from 'vitest';
import { protocolIdFault } from './unit-protocols.ts';

it.each([
  ['1', true],
  ['133552', true],
  ['4294967295', true],
  ['866104029690016', true],
  ['004999010640000', true],
  ['86610402969001', true],
  ['0', false],
  ['0133552', false],
  // OID and TID have 32 bits, an IMEI has 14 or 15 digits.
  ['4294967296', false],
  ['8661040296900', false],
  ['8661040296900160', false],
])('%s is an id of EGTS: %s', (id, isSound) => {
  expect(protocolIdFault('egts', id) === undefined).toBe(isSound);
});
