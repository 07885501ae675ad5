import type { FirstSteps as Steps } from '@ridewatch/contract/first-steps';

const isDone = {
  customer: ({ customer }: Steps) => customer !== null,
  bus: ({ bus }: Steps) => bus !== null,
  unit: ({ unit }: Steps) => unit !== null,
  camera: ({ camera }: Steps) => camera !== null,
  position: ({ has_position }: Steps) => has_position,
  count: ({ has_count }: Steps) => has_count,
} as const;

/** The steps of a new installation, in their order. */
export const steps = ['customer', 'bus', 'unit', 'camera', 'position', 'count'] as const;
export type Step = (typeof steps)[number];

/** The steps that are not done, in their order. */
export const openSteps = (stored: Steps): readonly Step[] =>
  steps.filter((step) => !isDone[step](stored));
