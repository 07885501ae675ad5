import type { Colour, Sprite } from './frame.ts';

/** Clothes and hair of a person. */
interface Clothes {
  coat: Colour;
  hair: Colour;
  legs: Colour;
  bag: boolean;
}

const DARK_HAIR: Colour = [38, 124, 134];
const BROWN_HAIR: Colour = [62, 116, 142];
const FAIR_HAIR: Colour = [142, 96, 144];
const GREY_HAIR: Colour = [150, 128, 128];
const SKIN: Colour = [168, 108, 150];
const SHOES: Colour = [34, 128, 128];
const JEANS: Colour = [58, 144, 118];

// Every coat contrasts with pavement, asphalt and floor by brightness or colour.
const WARDROBE: readonly Clothes[] = [
  { coat: [52, 158, 112], hair: DARK_HAIR, legs: SHOES, bag: false },
  { coat: [92, 100, 188], hair: BROWN_HAIR, legs: JEANS, bag: true },
  { coat: [208, 124, 130], hair: DARK_HAIR, legs: JEANS, bag: false },
  { coat: [84, 104, 108], hair: BROWN_HAIR, legs: SHOES, bag: true },
  { coat: [30, 128, 128], hair: FAIR_HAIR, legs: JEANS, bag: false },
  { coat: [164, 62, 152], hair: DARK_HAIR, legs: JEANS, bag: false },
  { coat: [112, 142, 104], hair: GREY_HAIR, legs: SHOES, bag: false },
  { coat: [106, 112, 148], hair: [120, 100, 150], legs: SHOES, bag: true },
  { coat: [70, 148, 140], hair: FAIR_HAIR, legs: JEANS, bag: false },
  { coat: [134, 150, 104], hair: [48, 122, 146], legs: JEANS, bag: true },
];

/** Numbers of outfits, headings and phases of a step. */
export const LOOKS = WARDROBE.length;
export const HEADINGS = 16;
export const STEPS = 8;

/** Opacity of a shadow at its middle, of 255. */
const SHADOW_ALPHA = 78;

const sprites = new Map<number, Sprite>();

interface Oval {
  colour: Colour;
  /** Centre relative to the middle, ahead and to the right, and half axes, pixels of an adult. */
  ahead: number;
  right: number;
  halfAhead: number;
  halfRight: number;
}

/**
 * A person from above, with head and shoulders; its middle is that of the head.
 * @param size 1 for an adult with shoulders 54 pixels wide
 * @param heading sixteenths of a turn, 0 to the right of the frame, 4 down
 * @param step eighths of a double step; undefined for a standing person
 */
export function figure(
  size: number,
  look: number,
  heading: number,
  step: number | undefined,
): Sprite {
  const key = ((Math.round(size * 100) * LOOKS + look) * HEADINGS + heading) * (STEPS + 1);
  const whole = key + (step ?? STEPS);
  const known = sprites.get(whole);
  if (known) return known;
  const clothes = WARDROBE[look % LOOKS] as Clothes;
  const painted = paint(bodyOf(clothes, step), size, (heading / HEADINGS) * 2 * Math.PI);
  sprites.set(whole, painted);
  return painted;
}

/** The soft shadow of a person of a size (see {@link figure}). */
export function shadow(size: number): Sprite {
  const key = -Math.round(size * 100);
  const known = sprites.get(key);
  if (known) return known;
  const side = evenSide(size);
  const sprite = emptySprite(side);
  for (let index = 0; index < side * side; index++) {
    const dx = (index % side) + 0.5 - side / 2;
    const dy = Math.floor(index / side) + 0.5 - side / 2;
    const share = Math.hypot(dx / (32 * size), dy / (24 * size));
    sprite.luma[index] = 16;
    sprite.alpha[index] = Math.max(0, Math.min(1, (1 - share) * 2)) * SHADOW_ALPHA;
  }
  sprites.set(key, sprite);
  return sprite;
}

function bodyOf(clothes: Clothes, step: number | undefined): Oval[] {
  const swing = step === undefined ? 0 : Math.sin((step / STEPS) * 2 * Math.PI);
  const { coat, hair, legs } = clothes;
  const dark: Colour = [coat[0] * 0.72, coat[1], coat[2]];
  const bright: Colour = [Math.min(228, coat[0] * 1.14 + 6), coat[1], coat[2]];
  const lit: Colour = [Math.min(228, hair[0] * 1.2 + 10), hair[1], hair[2]];
  const bag: Oval[] = clothes.bag
    ? [{ colour: [44, 132, 126], ahead: -13, right: 0, halfAhead: 8, halfRight: 13 }]
    : [];
  return [
    { colour: legs, ahead: 12 * swing, right: -8, halfAhead: 8, halfRight: 5 },
    { colour: legs, ahead: -12 * swing, right: 8, halfAhead: 8, halfRight: 5 },
    ...bag,
    { colour: dark, ahead: -7 * swing, right: -22, halfAhead: 9, halfRight: 5.5 },
    { colour: dark, ahead: 7 * swing, right: 22, halfAhead: 9, halfRight: 5.5 },
    { colour: coat, ahead: 0, right: 0, halfAhead: 12.5, halfRight: 26 },
    { colour: bright, ahead: 1.5, right: -13, halfAhead: 7, halfRight: 9 },
    { colour: bright, ahead: 1.5, right: 13, halfAhead: 7, halfRight: 9 },
    { colour: dark, ahead: 0, right: 0, halfAhead: 13, halfRight: 11.5 },
    { colour: SKIN, ahead: 5.5, right: 0, halfAhead: 7.5, halfRight: 6.5 },
    { colour: hair, ahead: 0, right: 0, halfAhead: 11, halfRight: 9.5 },
    { colour: lit, ahead: -2, right: -2, halfAhead: 4.5, halfRight: 4 },
  ];
}

function paint(ovals: readonly Oval[], size: number, turn: number): Sprite {
  const side = evenSide(size);
  const sprite = emptySprite(side);
  const chroma = { u: new Float64Array(side * side), v: new Float64Array(side * side) };
  for (let index = 0; index < side * side; index++) {
    const dx = (index % side) + 0.5 - side / 2;
    const dy = Math.floor(index / side) + 0.5 - side / 2;
    const ahead = (dx * Math.cos(turn) + dy * Math.sin(turn)) / size;
    const right = (dy * Math.cos(turn) - dx * Math.sin(turn)) / size;
    let [y, u, v, alpha] = [0, 0, 0, 0];
    for (const oval of ovals) {
      const far = Math.hypot(
        (ahead - oval.ahead) / oval.halfAhead,
        (right - oval.right) / oval.halfRight,
      );
      const inside = (1 - far) * Math.min(oval.halfAhead, oval.halfRight) * size + 0.5;
      const cover = Math.max(0, Math.min(1, inside));
      y += (oval.colour[0] - y) * cover;
      u += (oval.colour[1] - u) * cover;
      v += (oval.colour[2] - v) * cover;
      // Colours are not premultiplied, so that the rim keeps the colour of its oval.
      if (alpha === 0 && cover > 0) [y, u, v] = oval.colour;
      alpha += (1 - alpha) * cover;
    }
    sprite.luma[index] = y;
    sprite.alpha[index] = alpha * 255;
    chroma.u[index] = u * alpha;
    chroma.v[index] = v * alpha;
  }
  halveChroma(sprite, chroma);
  return sprite;
}

function halveChroma(sprite: Sprite, full: { u: Float64Array; v: Float64Array }): void {
  const { width } = sprite;
  for (let y = 0; y < sprite.height / 2; y++) {
    for (let x = 0; x < width / 2; x++) {
      const corner = y * 2 * width + x * 2;
      const four = [corner, corner + 1, corner + width, corner + width + 1];
      const sum = (plane: ArrayLike<number>) =>
        four.reduce((total, index) => total + (plane[index] ?? 0), 0);
      const cover = sum(sprite.alpha) / 255;
      const to = (y * width) / 2 + x;
      sprite.u[to] = cover > 0 ? sum(full.u) / cover : 128;
      sprite.v[to] = cover > 0 ? sum(full.v) / cover : 128;
      sprite.chromaAlpha[to] = (cover / 4) * 255;
    }
  }
}

function emptySprite(side: number): Sprite {
  const full = side * side;
  return {
    width: side,
    height: side,
    luma: new Uint8Array(full),
    alpha: new Uint8Array(full),
    u: new Uint8Array(full / 4).fill(128),
    v: new Uint8Array(full / 4).fill(128),
    chromaAlpha: new Uint8Array(full / 4),
  };
}

function evenSide(size: number): number {
  return 2 * Math.ceil(32 * size);
}
