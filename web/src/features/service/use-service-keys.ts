import { addDays } from '@ridewatch/contract/day';
import type { RefObject } from 'react';
import { useDayKeys } from '../../bus-page/use-day-keys.ts';
import type { PlayerHandle } from '../../player/player.tsx';
import { playerAction } from '../../player/player-keys.ts';

interface ServiceKeys {
  player: RefObject<PlayerHandle | null>;
  date: string;
  onStep: (by: 1 | -1) => void;
  onDay: (date: string) => void;
}

/** The keys of the cabin's page: as on the count tab, without counting. */
export function useServiceKeys({ player, date, onStep, onDay }: ServiceKeys): void {
  useDayKeys((event) => {
    if (event.code === 'ArrowDown' || event.code === 'ArrowUp') {
      onStep(event.code === 'ArrowDown' ? 1 : -1);
      return true;
    }
    if (event.code === 'BracketLeft' || event.code === 'BracketRight') {
      onDay(addDays(date, event.code === 'BracketLeft' ? -1 : 1));
      return true;
    }
    const action = playerAction(event);
    if (!action) return false;
    player.current?.perform(action);
    return player.current !== null || action.kind === 'toggle';
  });
}
