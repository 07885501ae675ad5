import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { protectionOf } from './protection.ts';

const policyOf = (tileUrl?: string): Record<string, string> => {
  const policy = protectionOf(tileUrl)['content-security-policy'] ?? '';
  const parts = policy.split(';').map((part) => part.trim().split(' '));
  return Object.fromEntries(parts.map(([name = '', ...sources]) => [name, sources.join(' ')]));
};

describe('the content policy', () => {
  it('lets pages load from nowhere but here, and run workers of their own', () => {
    const policy = policyOf();
    expect(policy['default-src']).toBe("'self'");
    expect(policy['connect-src']).toBe("'self'");
    expect(policy['worker-src']).toBe("'self' blob:");
  });

  it('lets maps load tiles from the configured server, and nothing else from there', () => {
    const policy = policyOf('https://tiles.example/a/{z}/{x}/{y}.png?key=1');
    expect(policy['connect-src']).toBe("'self' https://tiles.example");
    expect(policy['img-src']).toContain('https://tiles.example');
    expect(policy['script-src']).toBe("'self'");
  });

  it('tells a tile server which site shows its tiles, and others nothing', () => {
    expect(protectionOf(undefined)['referrer-policy']).toBe('no-referrer');
    const withTiles = protectionOf('https://tiles.example/{z}/{x}/{y}.png');
    expect(withTiles['referrer-policy']).toBe('strict-origin-when-cross-origin');
  });
});

describe('the address of tiles', () => {
  it('must hold the place of a tile', () => {
    const read = (TILE_URL: string) => readConfig({ TILE_URL });
    expect(read('https://tiles.example/{z}/{x}/{y}.png').tileUrl).toContain('tiles.example');
    expect(read('').tileUrl).toBeUndefined();
    expect(() => read('https://tiles.example/{z}/{x}.png')).toThrow(/TILE_URL .*\{y\}/);
    expect(read('none').tileUrl).toBeUndefined();
    expect(() => read('ftp://tiles.example/{z}/{x}/{y}')).toThrow(/TILE_URL/);
  });

  it('is not used beside a map file', () => {
    const TILE_URL = 'https://tiles.example/{z}/{x}/{y}';
    expect(readConfig({ TILE_URL, MAP_FILE: 'town.pmtiles' }).tileUrl).toBeUndefined();
    expect(readConfig({}).tileUrl).toBeUndefined();
  });
});
