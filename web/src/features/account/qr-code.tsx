import { generate } from 'lean-qr';
import { useMemo } from 'react';
import styles from './account.module.css';

/** Modules of light ground around a QR code, as ISO/IEC 18004 asks. */
const QUIET = 4;

/** A QR code, drawn in the browser: its text goes to nobody. */
export function QrCode({ value, label }: { value: string; label: string }) {
  const { size, path } = useMemo(() => draw(value), [value]);
  const side = size + 2 * QUIET;
  return (
    <svg
      role="img"
      aria-label={label}
      className={styles.qr}
      viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000000" />
    </svg>
  );
}

function draw(value: string): { size: number; path: string } {
  const code = generate(value);
  const cells = Array.from({ length: code.size * code.size }, (_, at) => ({
    x: at % code.size,
    y: Math.floor(at / code.size),
  }));
  const dark = cells.filter(({ x, y }) => code.get(x, y));
  return { size: code.size, path: dark.map(({ x, y }) => `M${x} ${y}h1v1h-1z`).join('') };
}
