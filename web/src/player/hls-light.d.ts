// The light build has no types; they are those of the full build.
declare module 'hls.js/light' {
  export { default } from 'hls.js';
}
