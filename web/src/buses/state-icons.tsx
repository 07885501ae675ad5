import type { BusState } from '@ridewatch/contract/buses';
import { drawn } from '../ui/icons.tsx';

/** The icons of the states: an arrow, a pause, a broken line, a switch. */
export const stateIcons: Readonly<Record<BusState, () => React.JSX.Element>> = {
  moving: drawn('M19 4L4 12l7 1l1 7z'),
  standing: drawn('M9 6v12M15 6v12'),
  silent: drawn('M3 15l5-5l2 2M14 12l2 2l5-5M5 4l14 16'),
  off: drawn('M12 4v7M7.5 7a7 7 0 1 0 9 0'),
};
