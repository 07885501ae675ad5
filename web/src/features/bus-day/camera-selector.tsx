import type { Camera } from '@ridewatch/contract/buses';
import { CameraChips } from '../../fragment/camera-chips.tsx';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { useDayText } from './use-day-text.ts';

/** With more cameras, a desktop shows icons instead of names (spec section 2). */
const MOST_NAMED = 2;

interface CameraSelectorProps {
  cameras: readonly Camera[];
  chosen: ReadonlySet<number>;
  onChange: (chosen: ReadonlySet<number>) => void;
}

/** Selects the recorded cameras that the timeline and the list show. */
export function CameraSelector({ cameras, chosen, onChange }: CameraSelectorProps) {
  const text = useDayText();
  const isPhone = useIsPhone();
  return (
    <CameraChips
      label={text.cameras}
      cameras={cameras}
      isChosen={({ id }) => chosen.has(id)}
      asIcons={!isPhone && cameras.length > MOST_NAMED}
      onPress={({ id }) => {
        const next = new Set(chosen);
        if (!next.delete(id)) next.add(id);
        onChange(next);
      }}
    />
  );
}
