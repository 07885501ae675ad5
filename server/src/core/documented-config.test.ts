// The documents name each variable of the configuration, and no other; their values and defaults are true.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { Environment } from './environment.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (name: string) => readFileSync(path.join(root, name), 'utf8');
const known = Object.keys(Environment.shape);
/** Variables in the table that other programs read. */
const OF_OTHERS = ['RIDEWATCH_PASSWORD', 'CHROMIUM_PATH'];
/** Variables that the text around the table names and other programs read. */
const OF_TESTS = ['TEST_CLOCK'];

/** The rows of the README's table: the variables of each, and the cell with their default. */
const rows = [...read('README.md').matchAll(/^\| (`[A-Z]\w+`(?:, `\w+`)*) \| (.*?) \|/gm)].map(
  ([, names = '', preset = '']) => ({ names: names.replaceAll('`', '').split(', '), preset }),
);
/** Everything in a text that looks like a variable. */
const namesIn = (text: string): Set<string> => {
  const withLine = text.matchAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g);
  const assigned = text.matchAll(/(?<=^|[ `])[A-Z][A-Z0-9_]*(?==)/gm);
  return new Set([...withLine, ...assigned].map(([name]) => name));
};
/** The variables that blocks and sentences of the operator's guide set. */
const examples = [
  ...read('docs/install.md').matchAll(/(?<=^|[ `])([A-Z][A-Z0-9_]+)=("[^"]*"|[^\s`]+)/gm),
].map(([, name = '', value = '']) => ({ name, value: value.replaceAll('"', '') }));

describe('the table of variables in README.md', () => {
  it('has each variable of the server, and no other', () => {
    const listed = rows.flatMap(({ names }) => names);
    expect(listed.toSorted()).toEqual([...known, ...OF_OTHERS].toSorted());
  });

  it.each(
    rows.flatMap(({ names, preset }) => {
      const value = /^`([^`]+)`(?:;.*)?$/.exec(preset)?.[1];
      return names.flatMap((name) => (value === undefined ? [] : [{ name, value }]));
    }),
  )('has the true default of $name: $value', ({ name, value }) => {
    // The sender's default is the value of another variable.
    const given = known.includes(value) ? {} : { [name]: value };
    expect(readConfig(given)).toEqual(readConfig({}));
  });
});

describe('the documents for operators', () => {
  it.each([
    'README.md',
    'docs/install.md',
    'docs/operations.md',
    'docs/map.md',
    'docs/webhooks.md',
  ])('in %s name no variable that is none', (document) => {
    const named = [...namesIn(read(document))];
    const real = [...known, ...OF_OTHERS, ...OF_TESTS];
    expect(named.filter((name) => !real.includes(name))).toEqual([]);
  });

  it('give values that the server takes', () => {
    expect(examples.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'TRUST_PROXY',
        'PUBLIC_URL',
        'DATABASE_URL',
        'SMTP_URL',
        'S3_BUCKET',
      ]),
    );
    for (const { name, value } of examples) {
      expect(() => readConfig({ [name]: value }), `${name}=${value}`).not.toThrow();
    }
  });

  it('trust the proxy that their TLS puts before the server', () => {
    const of = (wanted: string) => examples.find(({ name }) => name === wanted)?.value;
    const guide = read('docs/install.md');
    const proxied = [
      ...guide.matchAll(/(?:reverse_proxy|proxy_pass) (?:http:\/\/)?([\d.]+):(\d+)/g),
    ];
    expect(proxied.length).toBeGreaterThan(1);
    for (const [, host, port] of proxied.slice(0, 2)) {
      expect([host, port]).toEqual([of('HOST'), of('PORT')]);
    }
    // Proxy and server are on one machine, so the proxy comes from the address on which the server listens.
    expect(of('TRUST_PROXY')).toBe(of('HOST'));
    expect(guide).toContain('proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;');
  });
});
