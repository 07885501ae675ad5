import type { Place } from '../../laps/engine/geometry/plane.ts';

/** Stops about this near to each other are one place, as on the two sides of a street, metres. */
const CELL_M = 150;
const METRES_PER_DEGREE = 111_195;

/** The places of a way's stops as cells of a grid, so that ways of any length are compared in one step a stop. */
export class PlacesOfWay {
  readonly #cells = new Set<string>();
  readonly #metresPerLongitude: number;

  constructor(places: readonly Place[]) {
    const latitude = places[0]?.latitude ?? 0;
    this.#metresPerLongitude = METRES_PER_DEGREE * Math.cos((latitude * Math.PI) / 180);
    for (const place of places) {
      const [row, column] = this.#cellOf(place);
      for (const north of [-1, 0, 1]) {
        for (const east of [-1, 0, 1]) this.#cells.add(`${row + north} ${column + east}`);
      }
    }
  }

  /** How many of some places are near a stop of the way. */
  sharedWith(places: readonly Place[]): number {
    return places.filter((place) => this.#cells.has(this.#cellOf(place).join(' '))).length;
  }

  #cellOf({ latitude, longitude }: Place): readonly [row: number, column: number] {
    return [
      Math.floor((latitude * METRES_PER_DEGREE) / CELL_M),
      Math.floor((longitude * this.#metresPerLongitude) / CELL_M),
    ];
  }
}
