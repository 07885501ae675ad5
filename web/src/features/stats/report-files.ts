// The page saves these by itself: the chart as a picture, the table as text.
import { csvOf, pngOf, saveFile } from '../../charts/save-chart.ts';
import type { Chart, Series } from './series.ts';
import type { StatsTexts } from './texts-ru.ts';
import { tickName } from './ticks.ts';

/** Most names below a saved picture. */
const MOST_NAMES = 40;
const NAME_PX = 180;
const NAME_ROW_PX = 20;
const TITLE_PX = 30;
const SVG = 'http://www.w3.org/2000/svg';

/** Saves the table as CSV. */
export function saveTable(chart: Chart, name: string, text: StatsTexts): void {
  const file = new Blob([csvOf(tableRows(chart, text))], { type: 'text/csv;charset=utf-8' });
  saveFile(file, `${name}.csv`);
}

/** The rows of the table, with the column heads. */
export function tableRows(chart: Chart, text: StatsTexts): (string | number)[][] {
  const isCompared = chart.series.some(({ beforeTotal }) => beforeTotal !== undefined);
  const head = [text.name, text.total, ...(isCompared ? [text.beforeTotal] : []), text.silence];
  return [
    [...head, ...chart.ticks.map((span) => tickName(span, chart.tick))],
    ...chart.series.map((one) => [
      one.name,
      figure(one.total),
      ...(isCompared ? [figure(one.beforeTotal)] : []),
      one.silentHours,
      ...one.values.map(figure),
    ]),
  ];
}

const figure = (value: number | undefined): string | number => value ?? '';

/**
 * Saves the chart as a PNG, with a title and the names of its lines.
 * @throws Error if the browser cannot draw it
 */
export async function savePicture(
  svg: SVGSVGElement,
  shown: readonly Series[],
  name: string,
): Promise<void> {
  const whole = withNames(svg, shown, name);
  // Only what is in the page has computed styles. The picture has those of the drawing, not of what is around it.
  const aside = document.createElement('div');
  aside.style.cssText = 'position: fixed; left: -10000px; top: 0';
  aside.append(whole);
  document.body.append(aside);
  try {
    const ground = getComputedStyle(document.documentElement).getPropertyValue('--rw-surface');
    saveFile(await pngOf(whole, ground), `${name}.png`);
  } finally {
    aside.remove();
  }
}

function withNames(svg: SVGSVGElement, shown: readonly Series[], name: string): SVGSVGElement {
  const width = Number(svg.getAttribute('width'));
  const height = Number(svg.getAttribute('height'));
  const columns = Math.max(1, Math.floor(width / NAME_PX));
  const named = shown.slice(0, MOST_NAMES);
  const rows = Math.ceil(named.length / columns);
  const whole = element('svg', { width, height: TITLE_PX + height + (rows + 1) * NAME_ROW_PX });
  whole.append(textAt(name, 16, 20, 700));
  const plot = element('g', { transform: `translate(0 ${TITLE_PX})` });
  plot.append(...svg.cloneNode(true).childNodes);
  whole.append(plot);
  for (const [at, { name: label, colour }] of named.entries()) {
    const x = 16 + (at % columns) * NAME_PX;
    const y = TITLE_PX + height + (Math.floor(at / columns) + 1) * NAME_ROW_PX;
    whole.append(element('rect', { x, y: y - 9, width: 10, height: 10, rx: 3, fill: colour }));
    whole.append(textAt(label, x + 16, y, 400));
  }
  return whole;
}

function textAt(content: string, x: number, y: number, weight: number): SVGTextElement {
  const text = element('text', { x, y });
  text.style.cssText = `fill: var(--rw-text); font-size: var(--rw-type-small); font-weight: ${weight}`;
  text.textContent = content;
  return text;
}

function element<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}
