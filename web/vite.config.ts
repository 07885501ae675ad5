import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { guidePages } from './guide-pages.ts';
import { helpersInBase } from './helpers-in-base.ts';
import { leanContract } from './lean-contract.ts';
import { offlineShell } from './offline-shell.ts';

const SERVER = `http://127.0.0.1:${process.env.PORT || '8080'}`;

/**
 * BASE is one file with all that sign-in needs, LIST one with all that signed-in screens and the list need: each
 * further file costs a request before the first paint. Both contain their styles, which are small.
 */
const BASE = [
  /vite\/preload-helper/,
  /node_modules\/(react|react-dom|scheduler|zod|use-sync-external-store)\//,
  /node_modules\/@tanstack\/(?!react-virtual|virtual-core|.*(useQueries|queriesObserver))/,
  /web\/src\/(core\/|calls\/(?!error)|shell\/(?:main|router|paths|first-styles)\.)/,
  /web\/src\/bus-page\/address\.ts$/,
  /web\/src\/(i18n\/(?!en\/|error|texts-of|moment-text|job-classes)|ui\/(?!ago|banner-box|copy|breakpoints|over|page|popover|place|search|sheet|slide|use-visible|use-top-bar|use-after-paint|use-returned-focus|icons\.tsx))/,
  /web\/src\/(shell\/(frame|crash)|keys\/keys-(store|layer)|forms\/(?:text|password)-field|features\/login\/(sign-in|failure-note))/,
  /web\/src\/(features\/(login|bus-list)|shell|ui)\/(?!route-targets).*\.css$/,
  /web\/src\/(page\/failed-read|attention\/[\w-]+)\.module\.css$/,
  /contract\/src\/(address|auth|endpoint|paths|primitives)\.ts$/,
];
const LIST = [
  /node_modules\/@tanstack\/(react-virtual|virtual-core|.*(useQueries|queriesObserver))/,
  /web\/src\/(buses\/(?!use-today)|shell\/(?!more-sheet|bus-tools)|features\/bus-list\/(?!route-targets|card-menu))/,
  // The keys of each screen's query, which the table of screens imports.
  /web\/src\/(features\/[\w-]+|fragment)\/address\.ts$/,
  // What opens the notifications and 'More' on phones; the rest comes with the first use.
  /web\/src\/ui\/(ago|banner-box|copy|breakpoints|over(?!-page-back)|page|popover|place|search|sheet|use-top-bar|use-after-paint|icons\.tsx)/,
  /contract\/src\/(board|buses|folded|bus-routes|fail-reasons|home|money|news|merges|notifications)\.ts$/,
  /web\/src\/(attention\/|notification-poll\/(?!mark)|timeline\/use-width|i18n\/(texts-of|moment-text|job-classes)|page\/failed-read)/,
];
/** What every tab of a bus's page needs: the frame, the day and its zone, a fragment and the player. */
const BUS = [
  /node_modules\/dayjs\//,
  /contract\/src\/(day|hours|day-calculation|fragments|fragment-states|time-map|laps)\.ts$/,
  /web\/src\/(shell\/bus-tools|bus-page\/|page\/(?!columns)|fragment\/(?!keep|fetch|missing|reason-texts|truncated|fragment-rows|camera-chips|use-watch|watched|speed)|player\/(?!hls))/,
  /web\/src\/(ui\/use-visible|edits\/(edits|draft-store|is-refused)|forms\/(day-field|month-page|calendar|popover|use-form-text|texts))/,
];
/** Manual counts, on the page of a bus and in the review queue. */
const COUNT = [
  /web\/src\/(features\/manual-counts\/|(timeline|charts|features\/bus-day)\/(?!fragment-sheet|video-modal|save-))/,
  /web\/src\/(forms\/(time-field|typed-time)|page\/columns|features\/calculator\/(money-text|shift-text))/,
  /web\/src\/fragment\/(fragment-rows|camera-chips|use-watch|watched|speed)/,
  /contract\/src\/(review|preload)\.ts$/,
];
/** What statistics and reports share. */
const TICKS = [/contract\/src\/(stat-limits|stat-ticks)\.ts$/, /web\/src\/buses\/use-today/];
/** Reports: one file, because the list's file names every other one. */
const REPORTS = [/contract\/src\/reports\.ts$/, /web\/src\/features\/reports\//];
/** The headless library and the controls built on it, loaded on first use. */
const CONTROLS = [
  /node_modules\/(@base-ui|@babel|@floating-ui|reselect)\//,
  /web\/src\/forms\/controls\//,
];
/** The element of a map; the library that draws the map loads after it. */
const MAP = [
  /web\/src\/map\/(map-view|map-icons|map-parts|use-scene|can-draw|map\.module|place-at|day-map|use-day-track|use-map-text|texts)/,
];
const oneOf = (tests: readonly RegExp[]) => (id: string) => tests.some((test) => test.test(id));

/**
 * Inlines the first styles into the page: as a file they would cost a request before the first paint. Preloads the
 * fonts: found only with the first text, they would cause a second layout.
 */
const leanPage: Plugin = {
  name: 'lean-page',
  enforce: 'post',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) => {
      const sourceOf = (address: string): string => {
        const file = bundle?.[address.replace(/^\//, '')];
        if (file === undefined) throw new Error(`The build has no ${address}.`);
        return file.type === 'chunk' ? file.code : String(file.source);
      };
      const lean = html.replace(
        /<link rel="stylesheet"[^>]* href="([^"]+)">/g,
        (_tag, address: string) => `<style data-file="${address}">${sourceOf(address)}</style>`,
      );
      const fonts = Object.keys(bundle ?? {}).filter((file) => file.endsWith('.woff2'));
      const ahead = fonts.map(
        (file) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${file}" />`,
      );
      return lean.replace('</head>', `${ahead.join('')}</head>`);
    },
  },
};

export default defineConfig({
  plugins: [react(), guidePages, leanContract, leanPage, helpersInBase, offlineShell],
  resolve: {
    // ES modules: CommonJS needs a helper at run time, which would be one more file.
    alias: [
      { find: /^dayjs$/, replacement: 'dayjs/esm/index.js' },
      { find: /^dayjs\/plugin\/(\w+)\.js$/, replacement: 'dayjs/esm/plugin/$1/index.js' },
    ],
  },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    manifest: true,
    // Every browser of our target supports modulepreload.
    modulePreload: { polyfill: false },
    // Inlining small files as `data:` addresses would break fonts and scripts, which the content security policy
    // refuses there.
    assetsInlineLimit: 0,
    // The library of the map exceeds Vite's default limit; scripts/budgets.mjs checks the sizes.
    chunkSizeWarningLimit: 1_200,
    rolldownOptions: {
      // Making a schema changes nothing else: those that only the server uses are left out.
      treeshake: { manualPureFunctions: ['z'] },
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'base', test: oneOf(BASE), priority: 2 },
            { name: 'list', test: oneOf(LIST), priority: 1 },
            { name: 'bus', test: oneOf(BUS) },
            { name: 'count-screen', test: oneOf(COUNT) },
            { name: 'ticks', test: oneOf(TICKS) },
            { name: 'reports', test: oneOf(REPORTS) },
            { name: 'map', test: oneOf(MAP) },
            { name: 'controls', test: oneOf(CONTROLS), priority: 3 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': SERVER, '/oauth': SERVER } },
  preview: { proxy: { '/api': SERVER, '/oauth': SERVER } },
});
