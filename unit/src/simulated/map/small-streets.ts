import { type Chance, chanceOf } from '../random.ts';
import type { Km } from './drawn.ts';

/** Distances of parallel small streets, km. */
const APART: Km = [0.24, 0.17];
/** How far small streets reach from the middle, km. */
const REACH: Km = [13, 11];
/** A house keeps so far from its streets, km. */
const YARD_KM = 0.03;

export interface SmallStreets {
  readonly streets: readonly (readonly Km[])[];
  /** Rings. */
  readonly houses: readonly (readonly Km[])[];
}

/**
 * Makes the small streets and the houses between them: a bent grid with gaps, the same at every start.
 * @param isFree whether something may stand at a place, so many km from everything
 * @param hasHouses whether houses are drawn around a place
 */
export function makeSmallStreets(
  isFree: (place: Km, marginKm: number) => boolean,
  hasHouses: (place: Km) => boolean,
): SmallStreets {
  const chance = chanceOf('small streets');
  const columns = Math.round(REACH[0] / APART[0]);
  const rows = Math.round(REACH[1] / APART[1]);
  const streets: Km[][] = [];
  const follow = (count: number, at: (index: number) => Km) => {
    let street: Km[] = [];
    const end = () => {
      if (street.length > 2) streets.push(street);
      street = [];
    };
    for (let index = -count; index <= count; index += 1) {
      const place = at(index);
      if (!isFree(place, 0.03) || chance.happens(0.09)) end();
      else street.push(place);
    }
    end();
  };
  for (let column = -columns; column <= columns; column += 1) {
    follow(rows, (row) => bent(column, row));
  }
  for (let row = -rows; row <= rows; row += 1) {
    follow(columns, (column) => bent(column, row));
  }
  const houses: Km[][] = [];
  for (let column = -columns; column <= columns; column += 1) {
    for (let row = -rows; row <= rows; row += 1) {
      const middle = bent(column + 0.5, row + 0.5);
      if (!isFree(middle, 0.1) || !hasHouses(middle)) continue;
      houses.push(...housesOf(column, row, chance));
    }
  }
  return { streets, houses };
}

// A place of the grid, which waves over some kilometres.
function bent(column: number, row: number): Km {
  const [east, north] = [column * APART[0], row * APART[1]];
  return [
    east + 0.75 * Math.sin(north / 2.3) + 0.3 * Math.sin(east / 1.1 + north / 1.7),
    north + 0.8 * Math.sin(east / 3.1 + 1) + 0.25 * Math.sin(east / 0.9 - north / 2),
  ];
}

// One to three houses in a block, along its streets.
function housesOf(column: number, row: number, chance: Chance): Km[][] {
  const count = 1 + chance.choose([2, 3, 2]);
  const [edge, gap] = [YARD_KM / APART[0], 0.06];
  const width = (1 - 2 * edge - gap * (count - 1)) / count;
  return Array.from({ length: count }, (_, index) => {
    const from = edge + index * (width + gap);
    const depth = chance.between(0.25, 0.65);
    const bottom = chance.happens(0.5) ? YARD_KM / APART[1] : 1 - YARD_KM / APART[1] - depth;
    const corner = (x: number, y: number) => bent(column + x, row + y);
    return [
      corner(from, bottom),
      corner(from + width, bottom),
      corner(from + width, bottom + depth),
      corner(from, bottom + depth),
    ];
  });
}
