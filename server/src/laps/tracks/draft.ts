import type { TrackPoint } from '@ridewatch/contract/laps';
import type { Db } from '../../core/db/db.ts';
import { type PositionBlocks, positionColumns, readPeriods } from '../../positions/read.ts';
import { trackPoints } from '../engine/track/track-points.ts';

/** An answer whose tracks are not drawn yet. */
export interface Draft {
  /** The answer, with empty tracks. */
  readonly answer: object;
  /** The bus that has the positions; null for another customer's day. */
  readonly busId: number | null;
  /** Positions between the first and the last moment of all tracks. */
  readonly positionCount: number;
  readonly tracks: readonly DraftTrack[];
}

/** A track of a draft. */
export interface DraftTrack {
  /** First moment, ms since 1970 UTC. */
  readonly fromMs: number;
  /** First moment after it. */
  readonly toMs: number;
  /** The array in the answer that receives the points. */
  readonly points: TrackPoint[];
}

/** A draft and the data of its tracks. `points` are the answer's own arrays, also in a structured clone. */
export interface PackedDraft {
  readonly answer: object;
  readonly tracks: readonly { readonly positions: PositionBlocks; readonly points: TrackPoint[] }[];
}

/** Reads the packed positions of a draft. */
export async function packDraft(db: Db, { answer, busId, tracks }: Draft): Promise<PackedDraft> {
  if (busId === null) return { answer, tracks: [] };
  const periods = await readPeriods(db, busId, tracks);
  return {
    answer,
    tracks: periods.map((positions, n) => ({ positions, points: tracks[n]?.points ?? [] })),
  };
}

/** Draws the tracks of a draft into its answer, and returns it. */
export function drawTracks({ answer, tracks }: PackedDraft): object {
  for (const { positions, points } of tracks) {
    for (const point of trackPoints(positionColumns(positions))) points.push(point);
  }
  return answer;
}
