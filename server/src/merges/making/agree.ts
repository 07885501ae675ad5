import { mergedSize } from '@ridewatch/contract/merges';
import { evenSize } from '../../media/pictures.ts';
import type { MergePart } from './merge-part.ts';
import type { MergedForm } from './merge-plan.ts';

/** Timescale when the parts differ: every usual frame rate divides it. */
const COMMON_SCALE = 90_000;

/** The common format of a merge's parts. */
export interface Aim {
  readonly width: number;
  readonly height: number;
  readonly aspect: string;
  readonly timescale: number;
  /** Undefined when no part has audio. */
  readonly sound: { readonly rate: number; readonly channels: number } | undefined;
}

/** The tracks of a part that must be encoded; the rest is copied. */
export interface Coding {
  readonly video: boolean;
  readonly sound: boolean;
}

/**
 * The shape of all parts where they are alike. Else the largest size, so that no part loses detail, on square pixels, so
 * that none is distorted. The sound that most of the merge has by duration, so that as little as possible is encoded.
 * @param parts at least one
 */
export function aimOf(parts: readonly MergePart[]): Aim {
  const sound = longest(parts, ({ sound: one }) => one && `${one.rate}:${one.channels}`)?.sound;
  const isHeard = parts.some(({ hasSound }) => hasSound);
  return {
    ...frameOf(parts),
    timescale: scaleOf(parts),
    sound: isHeard ? (sound ?? { rate: 48_000, channels: 2 }) : undefined,
  };
}

function frameOf(parts: readonly MergePart[]): Pick<Aim, 'width' | 'height' | 'aspect'> {
  const shapes = new Map(parts.map(({ format }) => [format && shapeOf(format), format]));
  const [only] = shapes.values();
  if (shapes.size === 1 && only) {
    return { width: only.width, height: only.height, aspect: only.aspect };
  }
  const size = mergedSize(parts.flatMap(({ shown }) => shown ?? []));
  return { ...evenSize(size ?? { width: 1280, height: 720 }), aspect: '1/1' };
}

/** Undefined for a part that is copied as it is. */
export function codingOf({ format, hasSound, sound }: MergePart, aim: Aim): Coding | undefined {
  const isSameShape = format !== undefined && shapeOf(format) === shapeOf(aim);
  const isSameSound =
    !hasSound || (sound?.rate === aim.sound?.rate && sound?.channels === aim.sound?.channels);
  return isSameShape && isSameSound ? undefined : { video: !isSameShape, sound: !isSameSound };
}

/**
 * The format of the merged video once all parts agree.
 * @returns the format, and whether keyframes need their parameter sets
 * @throws Error when the parts differ
 */
export function formOf(parts: readonly MergePart[]): { form: MergedForm; needsSets: boolean } {
  const video = longest(parts, ({ format }) => format?.sets.toString('hex'))?.format;
  if (video === undefined || parts.some(({ format }) => format === undefined)) {
    throw new Error('A part has video that is not H.264.');
  }
  return {
    form: {
      video,
      sound: parts.find(({ sound }) => sound !== undefined)?.sound,
      timescale: scaleOf(parts),
      delayS: Math.max(...parts.map(({ delayS }) => delayS)),
    },
    needsSets: parts.some(({ format }) => format?.sets.equals(video.sets) === false),
  };
}

function shapeOf(shape: { width: number; height: number; aspect: string }): string {
  return `${shape.width}x${shape.height}:${shape.aspect}`;
}

function scaleOf(parts: readonly MergePart[]): number {
  const scales = new Set(parts.map(({ timescale }) => timescale));
  const [only] = scales;
  return scales.size === 1 && only !== undefined ? only : COMMON_SCALE;
}

// A part with the most frequent value by duration.
function longest(
  parts: readonly MergePart[],
  kindOf: (part: MergePart) => string | undefined,
): MergePart | undefined {
  const kinds = new Map<string, { part: MergePart; lengthS: number }>();
  for (const part of parts) {
    const kind = kindOf(part);
    if (kind === undefined) continue;
    const found = kinds.get(kind);
    kinds.set(kind, {
      part: found?.part ?? part,
      lengthS: (found?.lengthS ?? 0) + part.durationS,
    });
  }
  return [...kinds.values()].sort((a, b) => b.lengthS - a.lengthS)[0]?.part;
}
