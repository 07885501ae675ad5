import { describe, expect, it } from 'vitest';
import { videoFileName } from './file-name.ts';

const video = {
  bus: 'А 472 КМ',
  camera: 'Дверь 1',
  startMs: Date.UTC(2026, 10, 20, 5),
  endMs: Date.UTC(2026, 10, 20, 6),
  zone: 'Europe/Moscow',
  extension: 'mp4',
};

describe('the name of a saved video', () => {
  it('says bus, camera, local times and their offset', () => {
    expect(videoFileName(video)).toBe('А-472-КМ_Дверь-1_2026-11-20_08.00.00-09.00.00_UTC+3.mp4');
  });

  it('says the day of an end past midnight, and offsets of half an hour', () => {
    const long = { ...video, endMs: Date.UTC(2026, 10, 20, 22), zone: 'Asia/Kolkata' };
    expect(videoFileName(long)).toBe(
      'А-472-КМ_Дверь-1_2026-11-20_10.30.00-2026-11-21_03.30.00_UTC+5.30.mp4',
    );
  });

  it('has nothing in it that leads elsewhere, whatever the bus is called', () => {
    const names = ['../../etc/passwd', 'a"; x=\r\nSet-Cookie: b', '///', 'x'.repeat(300)];
    for (const bus of names) {
      const name = videoFileName({ ...video, bus, camera: bus });
      expect(name).toMatch(/^[\p{L}\p{N}_.+-]+$/u);
      expect(name).not.toContain('..');
      expect(name.length).toBeLessThan(140);
    }
  });
});
