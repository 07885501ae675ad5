// The light build comes without types; they are those of the whole one.
declare module 'hls.js/light' {
  export { default } from 'hls.js';
}
