import type { Point } from '@ridewatch/contract/primitives';
import type { ProposedStop, RouteProposal } from '@ridewatch/contract/route-proposal';
import type { PartProps } from '../route-state.ts';

/** A proposed route, which the map shows before it is saved. */
export interface Preview {
  readonly track: readonly Point[];
  readonly stops: readonly ProposedStop[];
  /** Gaps of the track, which the map marks. */
  readonly jumps?: RouteProposal['jumps'];
}

export interface ActionProps extends PartProps {
  onPreview: (preview: Preview | undefined) => void;
}
