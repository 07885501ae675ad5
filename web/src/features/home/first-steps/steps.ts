import type { FirstSteps as Steps } from '@ridewatch/contract/first-steps';
import { protocolNames, UnitProtocol } from '@ridewatch/contract/unit-protocols';
import type { FirstStepsTexts } from './texts-ru.ts';

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

/** The protocols that the server takes; all while nothing is known of it. */
export const protocolsOf = (stored: Steps | undefined): readonly UnitProtocol[] =>
  UnitProtocol.options.filter((protocol) => !stored?.off_protocols.includes(protocol));

/** Says what a step is about, in the language of `text`, for an installation with `stored` protocols. */
export function explain(step: Step, text: FirstStepsTexts, stored: Steps): string {
  const { text: said } = text.steps[step];
  if (typeof said === 'string') return said;
  return said(protocolsOf(stored).map((protocol) => protocolNames[protocol]));
}
