/** A clip that can be drawn frame by frame. */
export interface Clip {
  frames: number;
  /** Draws one frame over whatever the buffer holds; the same frame is the same bytes every time. */
  draw: (index: number, frame: Uint8Array) => void;
}
