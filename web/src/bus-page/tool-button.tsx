import type { BusInfo } from '@ridewatch/contract/buses';
import { useState } from 'react';
import { Popover } from '../forms/popover.tsx';
import { useIsPhone } from '../ui/breakpoints.ts';
import styles from './day-header.module.css';
import type { BusTool } from './tools.ts';
import { usePageText } from './use-page-text.ts';

interface ToolButtonProps {
  tool: BusTool;
  info: BusInfo;
  zoneName: string;
}

/** The button of a tool, with the dialog or panel that it opens. */
export function ToolButton({ tool, info, zoneName }: ToolButtonProps) {
  const { Icon } = tool;
  const text = usePageText();
  const title = tool.title(text);
  const [isOpen, setOpen] = useState(false);
  const isPhone = useIsPhone();
  const face = (
    <>
      <Icon /> {tool.word && <span>{isPhone ? tool.word(text) : title}</span>}
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
      <button
        type="button"
        className={styles.tool}
        aria-label={title}
        title={title}
        onClick={() => setOpen(true)}
      >
        {face}
      </button>
      {isOpen && <tool.Content info={info} zoneName={zoneName} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The outline of a panel until its code has loaded. */
export function PanelOutline() {
  return <span className={styles.waiting} />;
}
