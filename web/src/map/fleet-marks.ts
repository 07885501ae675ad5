// How the vehicles of a fleet are drawn on a canvas.
import type { ScreenPoint } from './clusters.ts';
import type { FleetBus } from './map-parts.ts';
import { notesWithRoom } from './room-for-notes.ts';

export const RADIUS_PX = 7;

/** The colours of a theme. */
export type Colours = ReturnType<typeof readColours>;

/** Reads the colours of the theme that an element has. */
export function readColours(element: Element) {
  const style = getComputedStyle(element);
  const of = (name: string): string => style.getPropertyValue(`--rw-${name}`).trim();
  return {
    moving: of('text'),
    standing: of('text-second'),
    silent: of('error'),
    off: of('text-third'),
    ground: of('surface'),
    chosen: of('accent'),
  };
}

/** Draws a vehicle. @param direction degrees clockwise from north */
export function drawBus(
  pen: CanvasRenderingContext2D,
  { x, y }: { x: number; y: number },
  { state }: FleetBus,
  direction: number,
  { colours, isChosen }: { colours: Colours; isChosen: boolean },
): void {
  pen.save();
  pen.translate(x, y);
  pen.lineWidth = 2;
  pen.strokeStyle = colours.ground;
  if (isChosen) {
    pen.beginPath();
    pen.arc(0, 0, RADIUS_PX * 2, 0, 2 * Math.PI);
    pen.fillStyle = colours.ground;
    pen.fill();
    pen.strokeStyle = colours.chosen;
    pen.stroke();
  }
  pen.fillStyle = isChosen ? colours.chosen : colours[state];
  if (state === 'moving') drawArrow(pen, direction);
  else if (state === 'off') drawRing(pen, colours);
  else drawDisc(pen, state, colours);
  pen.restore();
}

function drawArrow(pen: CanvasRenderingContext2D, direction: number): void {
  pen.rotate((direction * Math.PI) / 180);
  pen.beginPath();
  pen.moveTo(0, -9);
  pen.lineTo(6, 7);
  pen.lineTo(0, 3.5);
  pen.lineTo(-6, 7);
  pen.closePath();
  pen.stroke();
  pen.fill();
}

/** Distance of a name from the line, px: the marks of buses reach as far. */
const LABEL_PX = 12;

/** Draws the names of routes beside their lines, on which the buses are; of two that overlap the first one. */
export function drawLabels(
  pen: CanvasRenderingContext2D,
  labels: readonly (ScreenPoint & { readonly name: string })[],
  colours: Colours,
): void {
  pen.save();
  pen.font = '600 12px "Inter Variable", sans-serif';
  pen.textBaseline = 'middle';
  pen.textAlign = 'center';
  const boxes = labels.map(({ x, y, name }, at) => {
    const widthPx = pen.measureText(name).width + 14;
    return {
      id: String(at),
      name,
      leftPx: x + LABEL_PX,
      topPx: y - 10,
      widthPx,
      heightPx: 20,
      weight: 0,
    };
  });
  const shown = notesWithRoom(boxes);
  for (const { id, name, leftPx, topPx, widthPx, heightPx } of boxes) {
    if (!shown.has(id)) continue;
    pen.beginPath();
    pen.roundRect(leftPx, topPx, widthPx, heightPx, 4);
    pen.fillStyle = colours.chosen;
    pen.fill();
    pen.fillStyle = colours.ground;
    pen.fillText(name, leftPx + widthPx / 2, topPx + heightPx / 2 + 1);
  }
  pen.restore();
}

/** Draws the number of vehicles at one place, at the upper right of their mark. */
export function drawNumber(
  pen: CanvasRenderingContext2D,
  { x, y }: ScreenPoint,
  count: number,
  colours: Colours,
): void {
  const text = String(count);
  pen.save();
  pen.font = '600 11px "Inter Variable", sans-serif';
  pen.textBaseline = 'middle';
  const width = Math.max(16, pen.measureText(text).width + 8);
  const left = x + 3;
  pen.beginPath();
  pen.roundRect(left, y - 17, width, 16, 8);
  pen.fillStyle = colours.moving;
  pen.strokeStyle = colours.ground;
  pen.lineWidth = 2;
  pen.stroke();
  pen.fill();
  pen.fillStyle = colours.ground;
  pen.textAlign = 'center';
  pen.fillText(text, left + width / 2, y - 8.5);
  pen.restore();
}

// A pause for a standing bus, a cross for a silent one, an empty ring for one that is off: colour alone would not say it.
function drawDisc(
  pen: CanvasRenderingContext2D,
  state: 'standing' | 'silent',
  colours: Colours,
): void {
  pen.beginPath();
  pen.arc(0, 0, RADIUS_PX, 0, 2 * Math.PI);
  pen.stroke();
  pen.fill();
  pen.strokeStyle = colours.ground;
  pen.beginPath();
  const lines =
    state === 'standing'
      ? [-2, -3, -2, 3, 2, -3, 2, 3]
      : [-2.5, -2.5, 2.5, 2.5, 2.5, -2.5, -2.5, 2.5];
  for (let at = 0; at < lines.length; at += 4) {
    pen.moveTo(lines[at] ?? 0, lines[at + 1] ?? 0);
    pen.lineTo(lines[at + 2] ?? 0, lines[at + 3] ?? 0);
  }
  pen.stroke();
}

function drawRing(pen: CanvasRenderingContext2D, colours: Colours): void {
  const colour = pen.fillStyle;
  pen.beginPath();
  pen.arc(0, 0, RADIUS_PX, 0, 2 * Math.PI);
  pen.stroke();
  pen.fillStyle = colours.ground;
  pen.fill();
  pen.beginPath();
  pen.arc(0, 0, RADIUS_PX - 1, 0, 2 * Math.PI);
  pen.strokeStyle = colour;
  pen.stroke();
}
