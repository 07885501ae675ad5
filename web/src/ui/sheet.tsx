import { type ReactNode, useRef, useState } from 'react';
import styles from './sheet.module.css';

/** How high a sheet is: a strip, half of the screen, nearly all of it. */
export type SheetHeight = 'low' | 'half' | 'full';

const HEIGHTS: readonly SheetHeight[] = ['low', 'half', 'full'];
/** A faster drag moves the sheet to the next height, px/ms. */
const STROKE = 0.5;
const TAP_PX = 6;

interface SheetProps {
  /** Accessible name of the content. */
  label: string;
  /** Accessible name of the handle. */
  handleLabel: string;
  height: SheetHeight;
  onHeight: (height: SheetHeight) => void;
  /** Below the handle; does not scroll. */
  head: ReactNode;
  children: ReactNode;
}

/** A sheet over the lower end of a phone's screen. Dragging the handle resizes it, a press opens or closes it. */
export function Sheet({ label, handleLabel, height, onHeight, head, children }: SheetProps) {
  const sheet = useRef<HTMLElement>(null);
  const grip = useRef<{ y: number; heightPx: number; ms: number } | null>(null);
  const [draggedPx, setDraggedPx] = useState<number | null>(null);
  const go = (by: 1 | -1) => {
    const next = HEIGHTS[HEIGHTS.indexOf(height) + by];
    if (next) onHeight(next);
  };
  const letGo = (y: number, ms: number) => {
    const start = grip.current;
    grip.current = null;
    setDraggedPx(null);
    if (!start) return;
    const movedPx = start.y - y;
    if (Math.abs(movedPx) < TAP_PX) {
      onHeight(height === 'full' ? 'low' : 'full');
      return;
    }
    const speed = movedPx / Math.max(ms - start.ms, 1);
    if (Math.abs(speed) > STROKE) go(speed > 0 ? 1 : -1);
    else onHeight(nearest(start.heightPx + movedPx));
  };
  return (
    <section
      ref={sheet}
      className={styles.sheet}
      aria-label={label}
      data-height={height}
      data-dragged={draggedPx === null ? undefined : true}
      style={draggedPx === null ? undefined : { height: draggedPx }}
    >
      <button
        type="button"
        className={styles.handle}
        aria-label={handleLabel}
        aria-expanded={height !== 'low'}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          const heightPx = sheet.current?.offsetHeight ?? 0;
          grip.current = { y: event.clientY, heightPx, ms: event.timeStamp };
        }}
        onPointerMove={(event) => {
          const start = grip.current;
          if (!start) return;
          const movedPx = start.y - event.clientY;
          if (Math.abs(movedPx) >= TAP_PX) setDraggedPx(Math.max(0, start.heightPx + movedPx));
        }}
        onPointerUp={(event) => letGo(event.clientY, event.timeStamp)}
        onPointerCancel={(event) => letGo(event.clientY, event.timeStamp)}
        onKeyDown={(event) => {
          if (event.code === 'ArrowUp') go(1);
          else if (event.code === 'ArrowDown') go(-1);
          else if (event.code === 'Enter' || event.code === 'Space') {
            onHeight(height === 'full' ? 'low' : 'full');
          } else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <div className={styles.head}>{head}</div>
      <div className={styles.body}>{children}</div>
    </section>
  );
}

function nearest(heightPx: number): SheetHeight {
  const share = heightPx / window.innerHeight;
  if (share < 0.32) return 'low';
  return share < 0.68 ? 'half' : 'full';
}
