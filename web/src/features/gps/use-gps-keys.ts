import { addDays } from '@ridewatch/contract/day';
import type { RefObject } from 'react';
import { useDayKeys } from '../../bus-page/use-day-keys.ts';
import { playerAction } from '../../player/player-keys.ts';
import type { PlayerHandle } from '../../player/player-props.ts';

interface GpsKeys {
  date: string;
  onDay: (day: string) => void;
  player: RefObject<PlayerHandle | null>;
  /** Selects the next or previous stop. */
  onStep: (by: 1 | -1) => void;
  /** Clears the selected stop. */
  onClose: () => void;
}

/**
 * Keyboard shortcuts of the GPS tab: those of the count tab, for stops instead of fragments. The map handles its own
 * keys.
 */
export function useGpsKeys({ date, onDay, player, onStep, onClose }: GpsKeys): void {
  useDayKeys((event) => {
    if (event.target instanceof HTMLCanvasElement) return false;
    if (event.code === 'ArrowDown' || event.code === 'ArrowUp') {
      onStep(event.code === 'ArrowDown' ? 1 : -1);
      return true;
    }
    if (event.code === 'Escape') {
      onClose();
      return true;
    }
    if (event.code === 'BracketLeft' || event.code === 'BracketRight') {
      onDay(addDays(date, event.code === 'BracketLeft' ? -1 : 1));
      return true;
    }
    const action = playerAction(event);
    if (!action || !player.current) return false;
    player.current.perform(action);
    return true;
  });
}
