import { formatMoment, offsetLabel } from './day.ts';

/** The subject of a saved video. */
export interface NamedVideo {
  bus: string;
  camera: string;
  /** ms since 1970 UTC. */
  startMs: number;
  endMs: number;
  /** The bus's zone then. */
  zone: string;
  /** Without its dot. */
  extension: string;
}

const MOST_LETTERS = 40;

/**
 * The file name of a saved video, unique and sortable: `А-472-КМ_Дверь-1_2026-11-20_08.00.00-09.00.00_UTC+3.mp4`. Only
 * letters and digits of the names are used.
 */
export function videoFileName(video: NamedVideo): string {
  const { bus, camera, startMs, endMs, zone, extension } = video;
  const word = (text: string): string =>
    text
      .normalize('NFC')
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, MOST_LETTERS) || 'x';
  const at = (ms: number, pattern: string): string => formatMoment(ms, zone, pattern);
  const day = at(startMs, 'YYYY-MM-DD');
  const endDay = at(endMs, 'YYYY-MM-DD');
  const end = at(endMs, 'HH.mm.ss');
  const span = `${at(startMs, 'HH.mm.ss')}-${endDay === day ? end : `${endDay}_${end}`}`;
  const offset = offsetLabel(startMs, zone).replace('−', '-').replace(':', '.');
  return `${word(bus)}_${word(camera)}_${day}_${span}_${offset}.${extension}`;
}
