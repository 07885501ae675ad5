import { BYTE_ORDER_MARK, csvFormOf, textCell } from '@ridewatch/contract/csv-text';
import { currentLanguage } from '../i18n/language.ts';

/** Makes the browser save a file. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The click only queues the download; some browsers lose it if the address is revoked at once.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * Formats a table as CSV, as spreadsheets of the page's language read it. Amounts are numbers or texts with a decimal
 * point; other texts cannot become formulas.
 */
export function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  const { separator, point } = csvFormOf(currentLanguage());
  const cell = (value: string | number) => {
    const text = String(value);
    return /^-?\d+(\.\d+)?$/.test(text) ? text.replace('.', point) : textCell(text);
  };
  const lines = rows.map((row) => `${row.map(cell).join(separator)}\r\n`);
  return `${BYTE_ORDER_MARK}${lines.join('')}`;
}

/**
 * Renders an SVG of the page as a PNG of twice its size, on the background colour of its theme.
 * @throws Error if the browser cannot draw it
 */
export async function pngOf(svg: SVGSVGElement, groundColour: string): Promise<Blob> {
  const { width, height } = svg.getBoundingClientRect();
  const address = URL.createObjectURL(
    new Blob([styledCopy(svg, width, height)], { type: 'image/svg+xml' }),
  );
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(width * 2);
    canvas.height = Math.round(height * 2);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('the browser has no 2D canvas context');
    context.fillStyle = groundColour;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) =>
        blob ? resolve(blob) : reject(new Error('the browser made no PNG of the chart')),
      );
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

const COPIED = ['fill', 'stroke', 'opacity', 'text-anchor', 'visibility'];
// One by one: with tabular figures the computed `font` is empty.
const COPIED_OF_FONT = ['font-family', 'font-size', 'font-weight'];

// Style sheets do not apply outside of the page, so the copy has the computed styles.
function styledCopy(svg: SVGSVGElement, width: number, height: number): string {
  const copy = svg.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) throw new Error('not an SVG');
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const originals = svg.querySelectorAll('*');
  copy.querySelectorAll('*').forEach((element, index) => {
    const original = originals[index];
    if (!original) return;
    const style = getComputedStyle(original);
    for (const name of COPIED) element.setAttribute(name, style.getPropertyValue(name));
    const font = COPIED_OF_FONT.map((name) => `${name}: ${style.getPropertyValue(name)}`);
    element.setAttribute('style', font.join('; '));
  });
  return new XMLSerializer().serializeToString(copy);
}
