import type { Me } from '@ridewatch/contract/auth';
import type { BusInfo } from '@ridewatch/contract/buses';
import type { ComponentType } from 'react';
import type { PageTexts } from './texts-ru.ts';

interface ToolButton {
  readonly title: (text: PageTexts) => string;
  readonly Icon: ComponentType;
  /** Whether this user has it for this bus. */
  readonly isFor: (bus: BusInfo, user: Me | undefined) => boolean;
}

/** What a tool that is a dialog is given. */
export interface ToolDialogProps {
  info: BusInfo;
  /** How people call the zone of the bus. */
  zoneName: string;
  onClose: () => void;
}

/** A button in the header of a bus's page, and what it opens: a dialog over the page, or a panel below the button. */
export type BusTool = ToolButton &
  (
    | { readonly opens: 'dialog'; readonly Content: ComponentType<ToolDialogProps> }
    | { readonly opens: 'panel'; readonly Content: ComponentType<{ info: BusInfo }> }
  );
