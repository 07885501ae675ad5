import type { BusInfo } from '@ridewatch/contract/buses';
import { useState } from 'react';
import { Popover } from '../forms/popover.tsx';
import styles from './day-header.module.css';
import type { BusTool } from './tools.ts';
import { usePageText } from './use-page-text.ts';

interface ToolButtonProps {
  tool: BusTool;
  info: BusInfo;
  zoneName: string;
}

/** Opens a tool of the bus's page. */
export function ToolButton({ tool, info, zoneName }: ToolButtonProps) {
  const { Icon } = tool;
  const title = tool.title(usePageText());
  const [isOpen, setOpen] = useState(false);
  const face = (
    <>
      <Icon /> <span>{title}</span>
    </>
  );
  if (tool.opens === 'panel') {
    return (
      <Popover label={title} buttonClass={styles.tool} button={face}>
        {() => <tool.Content info={info} />}
      </Popover>
    );
  }
  return (
    <>
      <button type="button" className={styles.tool} onClick={() => setOpen(true)}>
        {face}
      </button>
      {isOpen && <tool.Content info={info} zoneName={zoneName} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Stands in a panel until its code is here, as large as what comes. */
export function PanelOutline() {
  return <span className={styles.waiting} />;
}
