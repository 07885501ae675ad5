/** An action of the player. */
export type PlayerAction =
  | { kind: 'toggle' }
  | { kind: 'seek'; bySeconds: number }
  | { kind: 'frame'; by: 1 | -1 }
  | { kind: 'speed'; steps: 1 | -1 }
  | { kind: 'fullscreen' };

/** How far ← and → seek, s. */
export const SEEK_SECONDS = 5;

export interface KeyPress {
  /** Physical key, so that it works in a Russian layout, too. */
  code: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

/** The player's action for a key; undefined for other keys. */
export function playerAction(press: KeyPress): PlayerAction | undefined {
  if (press.ctrlKey || press.altKey || press.metaKey) return undefined;
  switch (press.code) {
    case 'Space':
      return press.shiftKey ? undefined : { kind: 'toggle' };
    case 'ArrowLeft':
      return press.shiftKey
        ? { kind: 'frame', by: -1 }
        : { kind: 'seek', bySeconds: -SEEK_SECONDS };
    case 'ArrowRight':
      return press.shiftKey ? { kind: 'frame', by: 1 } : { kind: 'seek', bySeconds: SEEK_SECONDS };
    case 'Comma':
      return { kind: 'speed', steps: -1 };
    case 'Period':
      return { kind: 'speed', steps: 1 };
    case 'KeyF':
      return press.shiftKey ? undefined : { kind: 'fullscreen' };
    default:
      return undefined;
  }
}
