// The list of keys names choosing rows for the sections that have boxes.
import { AdminSection } from '@ridewatch/contract/admin-sections';
import { expect, it } from 'vitest';
import { keysOf } from '../../keys/keys-of.ts';
import { sectionNamed } from './sections.ts';
import { units } from './units.tsx';

it.each(AdminSection.options)('names the key that chooses rows where %s has boxes', (name) => {
  const reader = { mayCount: true, isWide: true, section: name, mayChoose: true };
  const isNamed = keysOf('/admin/{-$section}/{-$id}', reader).includes('boxes');
  // The section of units loads later.
  const section = name === 'units' ? units : sectionNamed(name);
  expect(isNamed).toBe(section?.hasSeveral === true);
});
