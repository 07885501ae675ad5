import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { guidePages } from './guide-pages.ts';
import { leanContract } from './lean-contract.ts';
import { leanPage } from './lean-page.ts';
import { offlineShell } from './offline-shell.ts';

const SERVER = `http://127.0.0.1:${process.env.PORT || '8080'}`;

/**
 * The files that many screens share, each named by the modules that it is made for: with these come all that they import.
 * The bundler makes a file of its own for each other screen. A file that serves several screens costs bytes on some of
 * them; without it each opened screen would load forty small files.
 */
const SHARED = [
  // Sign-in, and the styles of the first list, which are in the page.
  {
    name: 'base',
    test: /\/shell\/main\.tsx|\/login\/login-screen|\/i18n\/texts-of|\/(ui|shell|attention|page|bus-list)\/[\w-]+\.module\.css/,
  },
  {
    name: 'list',
    test: /\/shell\/(shell|screens)\.tsx|\/bus-list\/bus-list-screen|\/web\/src\/(ui|buses|attention)\/|value-lines/,
  },
  { name: 'bus', test: /\/bus-page\/bus-page|\/shell\/bus-tools|\/web\/src\/forms\/[\w-]+\.tsx?$/ },
  { name: 'count-screen', test: /\/bus-day\/count-screen/ },
  { name: 'map', test: /\/map\/(day-map|map-view)\.tsx/ },
  // Loaded when the first list, dialog or popover opens.
  { name: 'controls', test: /\/web\/src\/forms\/controls\// },
];

export default defineConfig({
  plugins: [react(), guidePages, leanContract, leanPage, offlineShell],
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
    // The library of the map exceeds Vite's default limit; scripts/budgets.ts checks the sizes.
    chunkSizeWarningLimit: 1_200,
    rolldownOptions: {
      // Making a schema changes nothing else: those that only the server uses are left out.
      treeshake: { manualPureFunctions: ['z'] },
      output: {
        codeSplitting: {
          // The first that names a module has it.
          groups: SHARED.map((one, at) => ({ ...one, priority: SHARED.length - at })),
        },
      },
    },
  },
  server: { proxy: { '/api': SERVER, '/oauth': SERVER } },
  preview: { proxy: { '/api': SERVER, '/oauth': SERVER } },
});
