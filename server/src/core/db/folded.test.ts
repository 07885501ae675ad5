import { folded } from '@ridewatch/contract/folded';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { foldedText } from './folded.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** All characters of one unit of UTF-16 that JavaScript takes for spaces: there are no others. */
const spaces = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code)).filter(
  (character) => /\s/.test(character),
);
const codeOf = (character: string) => `U+${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

it('a search leaves every space out of both its text and the names in the database', async () => {
  const names = spaces.map((space) => `Узкий${space}1${space}${space}7`);
  const { rows } = await sql<{ name: string }>`
    select ${foldedText(sql`name`)} as name
    from unnest(${names}::text[]) with ordinality as named(name, place)
    order by place`.execute(database.db);
  const compared = spaces.map((space, at) => [
    codeOf(space),
    folded(names[at] ?? ''),
    rows[at]?.name,
  ]);
  const plain = folded('Узкий17');
  expect(compared).toEqual(spaces.map((space) => [codeOf(space), plain, plain]));
});
