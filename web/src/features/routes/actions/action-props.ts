import type { Point } from '@ridewatch/contract/primitives';
import type { ProposedStop } from '@ridewatch/contract/route-proposal';
import type { PartProps } from '../route-state.ts';

/** A proposed route, which the map shows before it is saved. */
export interface Preview {
  readonly track: readonly Point[];
  readonly stops: readonly ProposedStop[];
}

export interface ActionProps extends PartProps {
  onPreview: (preview: Preview | undefined) => void;
}
