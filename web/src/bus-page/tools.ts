import type { Me } from '@ridewatch/contract/auth';
import type { BusInfo } from '@ridewatch/contract/buses';
import type { ComponentType } from 'react';
import type { PageAddress } from './address.ts';
import type { PageTexts } from './texts-ru.ts';

interface ToolButton {
  readonly title: (text: PageTexts) => string;
  /** One word for it on a phone; without it the button shows its icon only. */
  readonly word?: (text: PageTexts) => string;
  /** A desktop shows the title beside the icon, also without a word. */
  readonly isNamed?: boolean;
  readonly Icon: ComponentType;
  /** Whether this user has the tool for this bus. */
  readonly isFor: (bus: BusInfo, user: Me | undefined) => boolean;
}

/** The properties of a tool's dialog. */
export interface ToolDialogProps {
  info: BusInfo;
  /** Displayed name of the bus's zone. */
  zoneName: string;
  /** The value of the tool's key in the address. */
  addressed: string | undefined;
  /** Sets it. */
  onAddress: (value: string) => void;
  onClose: () => void;
}

/** A button in the header of a bus's page, and the dialog or panel that it opens. */
export type BusTool = ToolButton &
  (
    | {
        readonly opens: 'dialog';
        readonly Content: ComponentType<ToolDialogProps>;
        /** The key of the page's query that opens it, too. */
        readonly addressKey?: keyof PageAddress;
      }
    | { readonly opens: 'panel'; readonly Content: ComponentType<{ info: BusInfo }> }
  );
