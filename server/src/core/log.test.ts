import { describe, expect, it } from 'vitest';
import { parseQuery } from './http/query-string.ts';
import { loggableUrl } from './log.ts';

describe('an address in the log', () => {
  it.each([
    '/api/download/1?hash=SECRET',
    '/api/download/1?processed=0&hash=SECRET&x=1',
    '/api/download/1?%68ash=SECRET',
    '/api/download/1?%68%61%73%68=SECRET',
    '/api/download/1?hash[]=SECRET',
    '/api/download/1?hash%5B%5D=SECRET',
    '/api/download/1?hash%5b%5D=SECRET&hash=SECRET',
    '/api/download/1?Hash=SECRET',
    '/api/download/1?hash=SECRET=SECRET',
    '/api/download/1?%zz=1&hash=SECRET',
    '/api/download/1%3Fhash=SECRET',
    '/api/download/1%3fprocessed%3D0%26hash%3DSECRET',
    '/api/download/1?hash=SE%26SECRET',
    '/api/download/1?processed=0%26hash=SECRET%26x=SECRET&y=1',
    '/api/fleet?credential=SECRET&client_secret=SECRET',
    '/api/download/1?token=SECRET&access_token=SECRET&refresh_token=SECRET&password=SECRET',
  ])('%s tells no secret', (url) => {
    const logged = loggableUrl(url);
    expect(logged).not.toContain('SECRET');
    expect(logged).toContain('[redacted]');
  });

  it.each([
    ['/unit/osmand?', 'id=SECRET&lat=SECRET&lon=SECRET'],
    ['/unit/osmand/?', 'lat=SECRET&deviceid=SECRET'],
    ['/%75nit/osmand?', 'x=SECRET'],
    ['/unit/osmand%3F', 'id=SECRET'],
    ['/?', 'id=SECRET&lat=SECRET'],
    ['/?', 'lat=SECRET&deviceid=SECRET'],
  ])('%s%s tells neither who is where nor by which id', (path, query) => {
    expect(loggableUrl(path + query)).toBe(`${path}[redacted]`);
  });

  it.each(['/api/bus/info/1', '/api/gps?busId=1&a%20b=%zz&c[]=2&hashes=3&x', '/?', '/?&&='])(
    '%s is written as it came',
    (url) => {
      expect(loggableUrl(url)).toBe(url);
    },
  );

  it('keeps back whatever the server would read as a hash', () => {
    for (const key of ['hash', '%68ash', 'hash[]', 'h%61sh%5B]', 'hash%5b%5d']) {
      expect([parseQuery(`${key}=SECRET`).hash].flat()).toEqual(['SECRET']);
      expect(loggableUrl(`/x?${key}=SECRET`)).not.toContain('SECRET');
    }
  });
});
